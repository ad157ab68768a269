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

/**
 * While a run goes on its users ask again as soon as they are answered: where nothing was asked for
 * longer than this it was interrupted. Nobody resumes it sooner.
 */
const pauseMs = 1_000

/** Milliseconds in which was asked, without the pauses before it was resumed. */
export function measuredMsOf(trials: readonly Trial[]): number {
  const spans = trials.map(spanOf).toSorted((a, b) => a.begun - b.begun)
  let [measured, last] = [0, Number.NEGATIVE_INFINITY]
  for (const { begun, ended } of spans) {
    const from = begun > last + pauseMs ? begun : last
    measured += Math.max(0, ended - from)
    last = Math.max(last, ended)
  }
  return measured
}

function spanOf({ started_at, late_ms, total_ms }: Trial): { begun: number; ended: number } {
  const begun = started_at - late_ms
  return { begun, ended: begun + total_ms }
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
    measured_seconds: measuredMsOf(trials) / 1_000,
    asker: { cpu_seconds: 0, cpu_share: 0, loop_delay_p99_ms: null },
  })
}
