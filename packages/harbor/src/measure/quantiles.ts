import { unknownDifference } from './means.ts'
import { type Interval, type IntervalAt, usualAlpha } from './normal.ts'
import { createRandom, type Random } from './random.ts'

const resamples = 4_000

/** The nearest rank: the least value that a share of `at` does not exceed. 0 of none. */
export function quantileOf(sorted: readonly number[], at: number): number {
  return sorted[rankOf(sorted.length, at) - 1] ?? 0
}

/** From 1. A product that is whole but for its last digit counts as whole. */
export function rankOf(count: number, at: number): number {
  return Math.min(count, Math.max(1, Math.ceil(at * count - 1e-9)))
}

export function toSorted(values: readonly number[]): number[] {
  return Float64Array.from(values).sort() as unknown as number[]
}

/**
 * Whether the least and the greatest of so many values miss the quantile in no more than a share of
 * `alpha`: of 0.05, 6 for the median, 59 for the 95th percentile. Of fewer no interval that is made
 * of them can be believed.
 */
function isBounded(count: number, at: number, alpha: number): boolean {
  return at ** count + (1 - at) ** count <= alpha
}

/** How much greater the second quantile is; of too few values all that may be. */
export function differenceOfQuantiles(
  baseline: readonly number[],
  current: readonly number[],
  { alpha = usualAlpha, ...options }: { at: number; seed?: number; alpha?: number },
): Interval {
  return resampleQuantiles(baseline, current, options)(alpha)
}

/**
 * The same at any `alpha`, by the percentile bootstrap, of which one is enough for all of them. The
 * same values give the same interval: chance has a seed.
 *
 * A resample need not be drawn to know its k-th value: it is where the k-th of n uniform numbers
 * falls in the sorted sample, and that one is Beta(k, n + 1 - k). So a hundred thousand trials cost
 * no more than ten.
 */
export function resampleQuantiles(
  baseline: readonly number[],
  current: readonly number[],
  { at, seed = 1 }: { at: number; seed?: number },
): IntervalAt {
  const [a, b] = [toSorted(baseline), toSorted(current)]
  const least = Math.min(a.length, b.length)
  const random = createRandom(seed)
  const differences = Array.from({ length: least === 0 ? 0 : resamples }, () => {
    return drawQuantile(b, at, random) - drawQuantile(a, at, random)
  })
  const sorted = toSorted(differences)
  return (alpha) => {
    if (!isBounded(least, at, alpha)) return unknownDifference(quantileOf(a, at), quantileOf(b, at))
    return { low: quantileOf(sorted, alpha / 2), high: quantileOf(sorted, 1 - alpha / 2) }
  }
}

function drawQuantile(sorted: readonly number[], at: number, random: Random): number {
  const rank = rankOf(sorted.length, at)
  const place = random.beta(rank, sorted.length + 1 - rank)
  return sorted[Math.min(sorted.length - 1, Math.floor(place * sorted.length))] ?? 0
}
