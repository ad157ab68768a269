import {
  AppError,
  type EvaluationRun,
  type EvaluationRunInfo,
  type EvaluationRunsQuery,
  type TrialStatus,
} from '@dataagent/schema'
import { stateOf } from '../evaluations/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import type { EvaluationRunRow, WholeEvaluationRun } from '../ports/index.ts'

/** So much of a question is in the overview. */
const beginningMax = 160

/** Whose runs are asked for; undefined for everyone's. Throws `forbidden`. */
export function usersOf(
  principal: Principal,
  { all, user_id }: EvaluationRunsQuery,
): string | undefined {
  if (all !== 'true' && (user_id === undefined || user_id === principal.user_id))
    return principal.user_id
  if (mayAccess(principal, 'auditor')) return user_id
  throw new AppError('forbidden', 'Only administrators and auditors see the runs of others.')
}

/** One that the caller may see. Throws `not_found`. */
export async function findRun(
  { tables }: Platform,
  principal: Principal,
  run_id: string,
): Promise<EvaluationRunRow> {
  return seen(principal, run_id, await tables.evaluations.runs.get(principal.tenant_id, run_id))
}

export async function findWholeRun(
  { tables }: Platform,
  principal: Principal,
  run_id: string,
): Promise<WholeEvaluationRun> {
  const { runs } = tables.evaluations
  return seen(principal, run_id, await runs.getWhole(principal.tenant_id, run_id))
}

export async function requireRun(
  { tables }: Platform,
  tenant_id: string,
  run_id: string,
): Promise<EvaluationRunRow> {
  const run = await tables.evaluations.runs.get(tenant_id, run_id)
  if (run) return run
  throw noRun(run_id)
}

function seen<Run extends EvaluationRunRow>(
  principal: Principal,
  run_id: string,
  run: Run | undefined,
): Run {
  if (run && (run.user_id === principal.user_id || mayAccess(principal, 'auditor'))) return run
  throw noRun(run_id)
}

function noRun(run_id: string): AppError {
  return new AppError('not_found', `there is no evaluation ${run_id}`)
}

export async function toRunInfos(
  { tables, clock }: Platform,
  runs: readonly EvaluationRunRow[],
): Promise<EvaluationRunInfo[]> {
  const [first] = runs
  if (first === undefined) return []
  const ids = runs.map(({ run_id }) => run_id)
  const counts = await tables.evaluations.trials.countsOf(first.tenant_id, ids)
  const now = clock.now()
  const none = { total: 0, passed: 0, failed: 0, error: 0, timeout: 0 }
  return runs.map((run) => ({
    ...{ ...run, state: stateOf(run, now), counts: counts.get(run.run_id) ?? none },
  }))
}

export async function toRunInfo(
  platform: Platform,
  run: EvaluationRunRow,
): Promise<EvaluationRunInfo> {
  const [info] = await toRunInfos(platform, [run])
  return info!
}

/** With each question and what came of it last. */
export async function toRunView(
  platform: Platform,
  run: WholeEvaluationRun,
): Promise<EvaluationRun> {
  const [info, outline] = await Promise.all([
    toRunInfo(platform, run),
    platform.tables.evaluations.trials.outline(run),
  ])
  const last = new Map<string, { status: TrialStatus; asked: number }>()
  for (const { question_id, status } of outline)
    last.set(question_id, { status, asked: (last.get(question_id)?.asked ?? 0) + 1 })
  return {
    ...info,
    questions: run.questions.map(({ question_id, question, category, difficulty }) => ({
      ...{ question_id, question: toBeginning(question), category, difficulty },
      ...(last.get(question_id) ?? { status: null, asked: 0 }),
    })),
  }
}

function toBeginning(question: string): string {
  const text = question.slice(0, beginningMax).toWellFormed()
  return question.length > beginningMax ? `${text}…` : text
}
