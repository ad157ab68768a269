import type { Clock, Egress } from '@dataagent/guard'
import type { EvaluationReport, Question, Trial } from '@dataagent/schema'
import type { QuestionSet } from '../contract.ts'

/**
 * Where a run is told besides its report: a service that keeps questions, traces and scores. Never
 * fails a run: what goes wrong is a warning of its summary, once each.
 */
export interface Sink {
  readonly name: string
  /**
   * Makes the set known there. Resolves once it is, and after a few seconds at the latest: what has
   * not been done by then is tried again before anything is sent.
   */
  begin(set: QuestionSet, run: { run_id: string }): Promise<void>
  /** Returns at once. Beyond what may wait, the oldest are dropped and counted. */
  onTrial(question: Question, trial: Trial): void
  /** Sends what waits, until its deadline. To be called once, also where `begin` never was. */
  finish(report: EvaluationReport): Promise<SinkSummary>
}

export interface SinkSummary {
  name: string
  /** What the run is called there. */
  place: string | null
  /** Trials that arrived with all their scores. */
  sent: number
  /** Trials that had no room to wait. */
  dropped: number
  /** Trials that were refused, or were still waiting at the deadline. */
  failed: number
  /** In English, without any key. */
  warnings: string[]
}

export interface SinkOptions {
  env: Readonly<Record<string, string | undefined>>
  egress: Egress
  clock?: Clock | undefined
  limits?: Partial<SinkLimits> | undefined
}

export interface SinkLimits {
  /** Trials that may wait to be sent. */
  waiting: number
  /** Trials that are sent at once. */
  batch: number
  /** How long one request may take. */
  requestMs: number
  /** How long it waits before each further attempt. */
  pausesMs: readonly number[]
  /** How long `begin` may hold the run. */
  beginMs: number
  /** How long `finish` may take. */
  finishMs: number
}

/** One asking, with its question. */
export interface Asked {
  question: Question
  trial: Trial
}

/** What a service has of its own: how it is told. Each may throw. */
export interface Service {
  /** Called again where it failed. */
  begin(set: QuestionSet, run: { run_id: string }): Promise<void>
  /** Only after `begin`. */
  send(batch: Asked[]): Promise<void>
  end(report: EvaluationReport): Promise<void>
  place(): string | null
}
