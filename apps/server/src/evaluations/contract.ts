import type { Principal } from '../identity/index.ts'
import type { EvaluationRunKey, WholeEvaluationRun } from '../ports/index.ts'

/** Carries out runs of sets of questions, each in one process. */
export interface EvaluationBook {
  /**
   * Stores the run and begins it here as soon as there is a place. Throws `quota_exceeded` where
   * the user has as many under way as one may.
   */
  start(principal: Principal, run: NewEvaluationRun): Promise<void>
  /** Goes on with one that was interrupted; throws `conflict` where there is nothing to go on. */
  resume(principal: Principal, run: EvaluationRunKey): Promise<void>
  /** Stops a run, in whichever process it is. False where it was over. */
  cancel(run: EvaluationRunKey): Promise<boolean>
  /** Stops what runs here, to be resumed; resolves when that is stored. */
  stop(): Promise<void>
}

/** What its owner decides; the book adds who carries it out. */
export type NewEvaluationRun = Omit<
  WholeEvaluationRun,
  'state' | 'owner' | 'seen_at' | 'started_at' | 'ended_at' | 'error' | 'report'
>
