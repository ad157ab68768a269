import type {
  DatasetInfo,
  EvaluationRunInfo,
  EvaluationState,
  Question,
  Trial,
  TrialCounts,
  TrialStatus,
} from '@dataagent/schema'
import type { Page } from './page.ts'

export interface DatasetRow extends DatasetInfo {
  tenant_id: string
  questions: Question[]
}

/** Sets of questions: those of a tenant are all its users'. */
export interface EvaluationDatasets {
  /** Throws `quota_exceeded` where the tenant has `max`. */
  create(row: DatasetRow, options: { max: number }): Promise<void>
  /** False where it is gone or has changed since `before`, if that is given. */
  update(row: DatasetRow, options: { before?: number | undefined }): Promise<boolean>
  get(tenant_id: string, dataset_id: string): Promise<DatasetRow | undefined>
  /** By name. */
  list(query: { tenant_id: string } & Page): Promise<DatasetInfo[]>
  count(tenant_id: string): Promise<number>
  /** False where there was none. What was run of it stays. */
  delete(tenant_id: string, dataset_id: string): Promise<boolean>
}

/** A run, as it is listed. */
export interface EvaluationRunRow extends Omit<EvaluationRunInfo, 'counts'> {
  tenant_id: string
  /** The process that carries it out; empty where none does. */
  owner: string
  /** When that process last said that it is alive; of one that is over, when that was. */
  seen_at: number
}

/** With what is read only where it is shown. */
export interface WholeEvaluationRun extends EvaluationRunRow {
  questions: Question[]
  /** A report without its questions and trials, as JSON; null before the end. */
  report: string | null
}

export interface EvaluationEnd {
  state: Extract<EvaluationState, 'done' | 'interrupted' | 'cancelled' | 'error'>
  ended_at: number
  error: EvaluationRunInfo['error']
}

interface EvaluationRunFilter {
  tenant_id: string
  user_id?: string | undefined
  dataset_id?: string | undefined
}

export interface EvaluationRuns {
  /** Throws `conflict` for an id that the tenant has. */
  create(run: WholeEvaluationRun): Promise<void>
  get(tenant_id: string, run_id: string): Promise<EvaluationRunRow | undefined>
  getWhole(tenant_id: string, run_id: string): Promise<WholeEvaluationRun | undefined>
  /** Newest first. */
  list(filter: EvaluationRunFilter & Page): Promise<EvaluationRunRow[]>
  count(filter: EvaluationRunFilter): Promise<number>
  /** How many of a user are queued or running in a process that was seen since. */
  countOpen(user: { tenant_id: string; user_id: string; since: number }): Promise<number>
  /**
   * Takes one that is interrupted, or whose process was not seen since then, and queues it. True
   * for one caller of several.
   */
  take(run: EvaluationRunKey, by: { owner: string; now: number; since: number }): Promise<boolean>
  /** Says that its process is alive. False where it is not that one's to carry out any more. */
  seen(run: EvaluationRunKey, by: { owner: string; now: number }): Promise<boolean>
  /** It runs from now on; nothing where it is not queued by that process. */
  begin(run: EvaluationRunKey, by: { owner: string; now: number }): Promise<void>
  /** True for the one caller that ended it. */
  end(run: EvaluationRunKey, end: EvaluationEnd): Promise<boolean>
  setReport(run: EvaluationRunKey, report: string): Promise<void>
  /** With its trials. */
  delete(run: EvaluationRunKey): Promise<void>
  /** Deletes at most `limit`, with their trials, that were seen last before then; how many. */
  deleteOld(before: number, limit: number): Promise<number>
}

export type EvaluationRunKey = Pick<EvaluationRunRow, 'tenant_id' | 'run_id'>

interface TrialFilter {
  status?: TrialStatus | undefined
  question_id?: string | undefined
}

/** What was asked in a run, in the order in which it ended. */
export interface EvaluationTrials {
  /** Durable once resolved. `seq` counts from 0; throws `conflict` for one that is there. */
  add(run: EvaluationRunKey, seq: number, trials: readonly Trial[]): Promise<void>
  list(run: EvaluationRunKey, query: TrialFilter & Page): Promise<Trial[]>
  count(run: EvaluationRunKey, filter: TrialFilter): Promise<number>
  /** Of all of them, the oldest first, what a look at the run needs. */
  outline(run: EvaluationRunKey): Promise<Pick<Trial, 'question_id' | 'status'>[]>
  countsOf(tenant_id: string, run_ids: readonly string[]): Promise<Map<string, TrialCounts>>
}

/** Questions, runs of them, and what came of each. */
export interface Evaluations {
  datasets: EvaluationDatasets
  runs: EvaluationRuns
  trials: EvaluationTrials
}
