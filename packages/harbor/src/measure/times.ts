import { createHistogram } from 'node:perf_hooks'
import type { Times } from '@dataagent/schema'
import { rankOf } from './quantiles.ts'

/** Counts times in little memory, however many there are. */
export interface TimesRecorder {
  record(ms: number): void
  summary(): Times
  /** `p` from 0 to 100, exact to three digits. 0 where nothing was counted. */
  percentile(p: number): number
}

/** Twelve days, in microseconds; a longer time counts as this one in percentiles. */
const highest = 2 ** 40

/**
 * Over Node's own HDR histogram, in microseconds. It has no place for 0, so every time is kept one
 * microsecond longer. Least, greatest and mean are kept beside it and are exact.
 */
export function createTimes(): TimesRecorder {
  const histogram = createHistogram({ lowest: 1, highest, figures: 3 })
  let sum = 0
  let min = Number.POSITIVE_INFINITY
  let max = 0

  function percentile(p: number): number {
    if (histogram.count === 0) return 0
    // The histogram rounds to a rank: it is asked for one that needs no rounding.
    const rank = rankOf(histogram.count, p / 100)
    const microseconds = histogram.percentile((rank / histogram.count) * 100)
    return Math.min(max, Math.max(min, (microseconds - 1) / 1000))
  }

  return {
    record(ms) {
      const time = Math.max(0, ms)
      histogram.record(Math.min(highest, Math.round(time * 1000) + 1))
      sum += time
      min = Math.min(min, time)
      max = Math.max(max, time)
    },
    percentile,
    summary() {
      const { count } = histogram
      return {
        ...{ count, mean: count === 0 ? 0 : sum / count, min: count === 0 ? 0 : min },
        ...{ p50: percentile(50), p90: percentile(90), p95: percentile(95) },
        ...{ p99: percentile(99), p999: percentile(99.9), max },
      }
    },
  }
}
