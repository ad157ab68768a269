import { toReport } from '@dataagent/harbor'
import type { EvaluationReport, EvaluationRunSettings, Load, Trial } from '@dataagent/schema'
import type { Platform } from '../platform/index.ts'
import type { WholeEvaluationRun } from '../ports/index.ts'

type Here = Pick<Platform, 'ownUrl' | 'version'>

/** Whom a run of the platform asks. */
export function targetOf(
  { ownUrl, version }: Here,
  settings: EvaluationRunSettings | null,
): EvaluationReport['target'] {
  const assistant_id = settings?.assistant_id ?? null
  return { url: ownUrl(), transport: 'local', assistant_id, server_version: version }
}

/** So many at a time, each again as soon as it is answered. */
export function loadOf(settings: EvaluationRunSettings | null): Load {
  return {
    ...{ mode: 'closed', concurrency: settings?.concurrency ?? 1 },
    ...{ ramp_seconds: 0, warm_up_seconds: 0, duration_seconds: null },
  }
}

/** Milliseconds from the first begin to the last end. */
export function spanOf(trials: readonly Trial[]): number {
  let [begun, ended] = [Number.POSITIVE_INFINITY, 0]
  for (const { started_at, total_ms } of trials) {
    begun = Math.min(begun, started_at)
    ended = Math.max(ended, started_at + total_ms)
  }
  return Math.max(0, ended - begun)
}

/** What is known of a run that nobody brought to its end. */
export function toPartialReport(
  here: Here,
  run: WholeEvaluationRun,
  trials: readonly Trial[],
): EvaluationReport {
  const { run_id, name, questions, settings, created_at, started_at, seen_at } = run
  return toReport({
    ...{ run_id, set: { name, questions }, trials, is_complete: false, timeline: [] },
    ...{ target: targetOf(here, settings), load: loadOf(settings) },
    ...{ started_at: started_at ?? created_at, ended_at: seen_at },
    measured_seconds: spanOf(trials) / 1_000,
    asker: { cpu_seconds: 0, cpu_share: 0, loop_delay_p99_ms: null },
  })
}
