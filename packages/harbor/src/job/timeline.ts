import type { EvaluationReport, Trial } from '@dataagent/schema'

type Row = EvaluationReport['timeline'][number]

interface Second {
  begun: number
  not_passed: number
  ended: number[]
}

/** What began and ended in each second of a run; seconds without anything are left out. */
export function toTimeline(trials: readonly Trial[], from: number): Row[] {
  const seconds = new Map<number, Second>()
  const secondAt = (moment: number) => {
    const second = Math.max(0, Math.floor((moment - from) / 1_000))
    const found = seconds.get(second) ?? { begun: 0, not_passed: 0, ended: [] }
    seconds.set(second, found)
    return found
  }
  for (const { started_at, late_ms, total_ms, status } of trials) {
    secondAt(started_at).begun += 1
    const end = secondAt(started_at - late_ms + total_ms)
    end.ended.push(total_ms)
    if (status !== 'passed') end.not_passed += 1
  }
  let under_way = 0
  return [...seconds]
    .sort(([a], [b]) => a - b)
    .map(([second, { begun, not_passed, ended }]) => {
      under_way += begun - ended.length
      const sorted = ended.sort((a, b) => a - b)
      return {
        ...{ second, begun, ended: ended.length, not_passed, under_way },
        ...{ p50_ms: percentile(sorted, 0.5), p99_ms: percentile(sorted, 0.99) },
      }
    })
}

/** The nearest rank; 0 of nothing. */
const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
