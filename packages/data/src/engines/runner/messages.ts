import type { DataColumn, DataRow, DataTable } from '@dataagent/schema'
import type { SourceNotes } from '../../ports.ts'

/** What a runner reads from. */
export type RunnerSource =
  | { kind: 'files'; folder: string }
  | { kind: 'duckdb'; path: string }
  | { kind: 'sqlite'; path: string }

export interface RunnerLimits {
  /** Of the engine itself; the process may have somewhat more. */
  memoryBytes: number
  threads: number
  /** What may be written to the private temporary folder while sorting and joining. */
  spillBytes: number
  /** Of one value. */
  valueBytes: number
}

export interface RunnerSetUp {
  source: RunnerSource
  limits: RunnerLimits
  temporaryFolder: string
}

export interface AskedQuery {
  sql: string
  explain: boolean
  hidden?: SourceNotes
  /** The names that the statement gives to queries within it. */
  withNames?: readonly string[]
}

/** To a runner. After `begin` it has one piece of work at a time. */
export type RunnerOrder =
  | ({ kind: 'begin' } & RunnerSetUp)
  | { kind: 'describe'; tables?: readonly string[] }
  | ({ kind: 'query' } & AskedQuery)
  /** One more batch may be sent. */
  | { kind: 'more' }
  | { kind: 'stop' }

/** From a runner. `end` and `failed` close a piece of work. */
export type RunnerNews =
  | { kind: 'ready'; version: string }
  | { kind: 'columns'; columns: DataColumn[] }
  | { kind: 'rows'; rows: DataRow[] }
  | { kind: 'tables'; tables: DataTable[] }
  | { kind: 'end' }
  | { kind: 'failed'; code: RunnerFault; message: string }

export type RunnerFault =
  | 'invalid_request'
  | 'forbidden'
  | 'not_found'
  | 'too_large'
  | 'unavailable'

/** So many batches are on their way or unread at the most. */
export const batchesAhead = 3
export const batchRows = 2_048
export const batchBytes = 1024 * 1024
