import { type Interval, usualAlpha } from './normal.ts'
import { studentQuantile } from './student.ts'

/** How much greater the second mean is, after Welch (1947): variances need not be alike. */
export function differenceOfMeans(
  baseline: readonly number[],
  current: readonly number[],
  { alpha = usualAlpha }: { alpha?: number } = {},
): Interval {
  const [a, b] = [toSample(baseline), toSample(current)]
  if (a.count < 2 || b.count < 2) return unknownDifference(a.mean, b.mean)
  const [varianceA, varianceB] = [a.variance / a.count, b.variance / b.count]
  const variance = varianceA + varianceB
  const difference = b.mean - a.mean
  if (variance === 0) return { low: difference, high: difference }
  const freedom = variance ** 2 / (varianceA ** 2 / (a.count - 1) + varianceB ** 2 / (b.count - 1))
  const half = studentQuantile(1 - alpha / 2, freedom) * Math.sqrt(variance)
  return { low: difference - half, high: difference + half }
}

/** Of too few to say anything: wide enough to hold 0 and the difference, and still a number. */
export function unknownDifference(baseline: number, current: number): Interval {
  const half = Math.abs(baseline) + Math.abs(current)
  return { low: -half, high: half }
}

interface Sample {
  count: number
  mean: number
  variance: number
}

function toSample(values: readonly number[]): Sample {
  const count = values.length
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count, mean, variance: count < 2 ? 0 : squares / (count - 1) }
}

/** 0 of none. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
