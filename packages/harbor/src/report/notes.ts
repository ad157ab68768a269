import type { EvaluationReport } from '@dataagent/schema'
import { toPercent, toTime } from './figures.ts'
import type { Words } from './words.ts'

/** A rate is not kept where one of 100 waits so long before it is begun. */
const lateMs = 100

/** In a shorter run it is the start of the program that is busy. */
const busySeconds = 1

/** Beyond this, what was measured is how long answers lay unread. */
const starvedMs = 50

/** What a reader must know before believing the figures. */
export function notesOf(report: EvaluationReport, words: Words): string[] {
  const { is_complete, counts, failures, asker, load, times } = report
  return [
    ...(counts.total > 0 ? [] : [words.nothingNote]),
    ...(is_complete ? [] : [words.interruptedNote]),
    ...(failures.infrastructure > 0 ? [words.infrastructureNote(failures.infrastructure)] : []),
    ...(asker.cpu_share > 0.8 && asker.cpu_seconds >= busySeconds
      ? [words.busyAsker(toPercent(asker.cpu_share))]
      : []),
    ...(isStarved(report) ? [words.starvedAsker(toTime(asker.loop_delay_p99_ms ?? 0, words))] : []),
    ...(load.mode === 'rate' && times.late.p99 > lateMs
      ? [words.lateNote(toTime(times.late.p99, words))]
      : []),
  ]
}

function isStarved({ asker, started_at, ended_at }: EvaluationReport): boolean {
  return (asker.loop_delay_p99_ms ?? 0) > starvedMs && ended_at - started_at >= busySeconds * 1_000
}
