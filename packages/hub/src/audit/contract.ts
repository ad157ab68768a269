import type { ToolCallStatus } from '@dataagent/schema'
import type { CallSource } from '../call-context.ts'
import type { Principal } from '../principal.ts'

/** One call as it is audited: who, what, under which definition and policy, with what end. */
export interface CallRecord {
  call_id: string
  tenant_id: string
  trace_id: string
  span_id: string
  source: CallSource
  user_id: string | null
  session_id: string | null
  run_id: string | null
  agent_id: string | null
  api_key: string | null
  group_id: string | null
  server_id: string | null
  /** As the caller named it where it was not resolved. At most 512 characters. */
  tool_name: string
  schema_version: number | null
  definition_hash: string | null
  policy_revision: number
  /** What decided: JSON of the policy's reason. */
  decided_by: string | null
  input_validation: 'ok' | 'invalid' | 'failed' | 'not_reached'
  output_validation: 'ok' | 'invalid' | 'failed' | 'no_schema' | 'not_reached'
  approval_id: string | null
  attempts: number
  started_at: number
  ended_at: number
  duration_ms: number
  status: ToolCallStatus
  /** JSON of the fault, secrets masked. */
  error: string | null
  /** SHA-256 of the canonical arguments. */
  args_digest: string | null
  /** Only when asked for, secrets masked. */
  args: string | null
  result: string | null
}

export interface CallLogRow extends CallRecord {
  writer: string
  seq: number
  prev_hash: string
  hash: string
}

export interface AnchorRow {
  tenant_id: string
  writer: string
  seq: number
  hash: string
  /** Keyed: one who can write the database alone cannot make it. */
  mac: string
  anchored_at: number
}

export interface CallLogRows {
  /** All or none. Rows that are there already, by (tenant, writer, seq), are left as they are. */
  append(rows: readonly CallLogRow[]): Promise<void>
  writers(tenant_id: string): Promise<string[]>
  /** One chain in order, from the row after the seq `after`. */
  chain(tenant_id: string, writer: string, after: number, limit: number): Promise<CallLogRow[]>
  /** Newest first, by `started_at`; pages of a time that has passed stay as they are. */
  query(query: CallLogQuery): Promise<CallLogRow[]>
  /** How many fit, by one column, or by minute and status, in no order. */
  tally(query: CallLogFilters, by: TallyColumn): Promise<CallTally[]>
  /** All or none. Anchors that are there already, by (tenant, writer, seq), are left. */
  putAnchors(rows: readonly AnchorRow[]): Promise<void>
  /** Those of one chain in order, from the one after the seq `after`. */
  anchors(tenant_id: string, writer: string, after: number, limit: number): Promise<AnchorRow[]>
}

export interface CallLogFilters {
  tenant_id: string
  user_id?: string | undefined
  session_id?: string | undefined
  agent_id?: string | undefined
  group_id?: string | undefined
  server_id?: string | undefined
  tool_name?: string | undefined
  status?: ToolCallStatus | undefined
  trace_id?: string | undefined
  call_id?: string | undefined
  from?: number | undefined
  to?: number | undefined
  /**
   * `server_id` and `tool_name` are compared with what a caller was told: of a call that was denied
   * as `tool_not_allowed` no server, and the name in its error.
   */
  as_told?: boolean | undefined
}

export interface CallLogQuery extends CallLogFilters {
  limit: number
  offset: number
}

/** What one may ask for; whose rows are looked through follows from who asks. */
export type CallFilters = Omit<CallLogFilters, 'tenant_id' | 'as_told'>
export type CallQuery = Omit<CallLogQuery, 'tenant_id' | 'as_told'>

/** What calls are counted by: one's server and tool are not always told to who calls. */
export type TallyColumn = 'group_id' | 'user_id' | 'minute'

export interface CallTally {
  /** The group or the user, null is none; or the minute when they began, `2026-11-16T10:05Z`. */
  key: string | null
  /** Of those counted by minute. */
  status?: ToolCallStatus
  calls: number
  /** Of these the calls that did not end well. */
  failed: number
  last_at: number
}

/** Enough to write the row of a call that never ended. */
export interface CallStart {
  idempotent: boolean
  record: CallRecord
}

/**
 * The audit of this process: takes records at once, stores them in batches, in chains. A file of
 * this process alone holds what is not stored yet: it is there after a kill -9, and the next start
 * stores it. A start without an end becomes `interrupted`, or `unknown_outcome` where the tool is
 * not idempotent.
 */
export interface Audit extends AsyncDisposable {
  /**
   * Resolves when the start is with the operating system, together with all that begins and ends in
   * the same turn of the event loop. Rejects with `storage_full` or `internal`: then the call must
   * not be made.
   */
  begin(start: CallStart): Promise<void>
  /** Never throws: what cannot be written is kept in memory, counted, and tried again. */
  record(record: CallRecord): void
  /** Waits until what was recorded so far is stored. */
  flush(): Promise<void>
  /**
   * A user sees their own calls, an administrator those of the tenant. Newest first. What a user
   * reads of a call that was refused as `tool_not_allowed` is as if no tool had been found.
   */
  query(by: Principal, query: CallQuery): Promise<CallRecord[]>
  /** The calls that `query` would find, counted; most first. */
  tally(by: Principal, query: CallFilters, column: TallyColumn): Promise<CallTally[]>
  /** Whether nothing was changed, added or taken away since it was written. */
  verify(tenant_id: string): Promise<ChainReport>
  /**
   * All rows and anchors of a tenant were deleted: what is recorded of it from now on is a chain
   * from its beginning.
   */
  forget(tenant_id: string): Promise<void>
  /** Records not stored yet. */
  readonly waiting: number
  close(): Promise<void>
}

export interface ChainReport {
  ok: boolean
  rows: number
  writers: number
  faults: { writer: string; seq: number; what: string }[]
}
