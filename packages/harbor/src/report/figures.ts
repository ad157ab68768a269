import type { Comparison, Difference, Load, TrialCounts, TrialGroup } from '@dataagent/schema'
import type { Words } from './words.ts'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export function toCount(value: number): string {
  return grouped.format(value)
}

/** Three digits, in the unit that fits. */
export function toTime(ms: number, words: Words): string {
  const size = Math.abs(ms)
  if (size < 0.0005) return '0 ms'
  if (size < 999.5) return `${toThreeDigits(ms)} ms`
  if (size < 59_950) return `${toThreeDigits(ms / 1000)} s`
  const seconds = Math.round(size / 1000)
  const told = words.minutes(Math.floor(seconds / 60), seconds % 60)
  return ms < 0 ? `-${told}` : told
}

export function toThreeDigits(value: number): string {
  const size = Math.abs(value)
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2
  return value.toFixed(digits).replace(/\.0+$/, '')
}

export function toPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** Where nothing was counted there is no figure: 0 would be one. */
const none = '–'

export function toShareTexts({ counts, pass_rate }: Pick<TrialGroup, 'counts' | 'pass_rate'>) {
  if (counts.total === 0) return { rate: none, interval: none }
  const { value, low, high } = pass_rate
  return { rate: toPercent(value), interval: `${toPercent(low)} – ${toPercent(high)}` }
}

/** Mean and p95 of a group; times of errors are not counted. */
export function toGroupTimes({ counts, mean_ms, p95_ms }: TrialGroup, words: Words): string[] {
  return [mean_ms, p95_ms].map((ms) => toTimeOf(ms, timedOf(counts), words))
}

/** A figure of so many times. */
export function toTimeOf(ms: number, count: number, words: Words): string {
  return count === 0 ? none : toTime(ms, words)
}

const timedOf = ({ total, error }: TrialCounts) => total - error

/** A difference of shares, in points of a hundred. */
export function toPoints(difference: number, words: Words): string {
  return `${(difference * 100).toFixed(1)} ${words.points}`
}

export function toCost(cost: number): string {
  return cost === 0 || cost >= 1 ? cost.toFixed(2) : cost.toPrecision(3)
}

export function toMoment(timestamp: number): string {
  return `${new Date(timestamp).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

export function toLoadText(load: Load, words: Words): string {
  return load.mode === 'closed'
    ? words.closed(load.concurrency)
    : words.rate(toThreeDigits(load.rate), load.concurrency)
}

export const measures = [
  'pass_rate',
  'mean_total_ms',
  'p50_total_ms',
  'p95_total_ms',
  'mean_first_event_ms',
] as const satisfies readonly (keyof Comparison)[]

export type Measure = (typeof measures)[number]

/** What must be said where an interval alone seems to tell more than the verdict does. */
export function togetherNotes(comparison: Comparison, words: Words): string[] {
  const isOdd = ({ low, high, verdict }: Difference) =>
    verdict === 'within_noise' && (Number(low) > 0 || Number(high) < 0)
  return measures.some((measure) => isOdd(comparison[measure])) ? [words.together] : []
}

/** A difference as texts: of shares in points of a hundred, of times in their unit. */
export function toDifferenceTexts(measure: Measure, value: Difference, words: Words) {
  const isShare = measure === 'pass_rate'
  const toValue = (of: number | null) => {
    if (of === null) return none
    return isShare ? toPercent(of) : toTime(of, words)
  }
  const toSigned = (of: number | null) => {
    if (of === null) return none
    const text = isShare ? toPoints(of, words) : toTime(of, words)
    return of > 0 ? `+${text}` : text
  }
  return {
    baseline: toValue(value.baseline),
    current: toValue(value.current),
    difference: toSigned(value.difference),
    interval: value.low === null ? none : `${toSigned(value.low)} … ${toSigned(value.high)}`,
  }
}
