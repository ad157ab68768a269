import type { RunInfo, RunStatus } from '@dataagent/schema'
import type { Page } from './page.ts'

/** One turn, for as long as it runs and afterwards. */
export interface RunRow extends Omit<RunInfo, 'trace_id'> {
  tenant_id: string
  /** Of the one who asked: with them the run is picked up when its process has died. */
  role: string
  api_key: string | null
  /** The process that began it or picked it up last; empty where that one has left it. */
  owner: string
  /** When that process last said that it is alive, where it says so here. */
  seen_at: number
  /** W3C trace context of what began it: who picks it up goes on with that trace. */
  traceparent: string | null
}

export type RunUsage = Pick<
  RunInfo,
  'model' | 'prompt_tokens' | 'completion_tokens' | 'cached_tokens' | 'cost_micros'
>

export interface RunEnd extends RunUsage {
  status: Extract<RunStatus, 'done' | 'cancelled' | 'error'>
  ended_at: number
  error_code: string | null
}

export interface RunQuery extends Page {
  tenant_id: string
  user_id?: string | undefined
  session_id?: string | undefined
  status?: RunStatus | undefined
}

export interface UsageQuery {
  tenant_id: string
  user_id?: string | undefined
  /** Runs that began in [from, to). */
  from: number
  to: number
  by: 'day' | 'minute' | 'user' | 'model' | 'assistant'
}

/** `key` is the day (2026-11-16, UTC), the minute (2026-11-16T10:05Z), the user, model or agent. */
export interface UsageRow extends Omit<RunUsage, 'model'> {
  key: string
  runs: number
  errors: number
}

export interface Runs {
  /** Throws `conflict` for an id that is taken. */
  begin(run: RunRow): Promise<void>
  /** Between `running` and `waiting`, and to another owner; nothing once it has ended. */
  update(run_id: string, change: Partial<Pick<RunRow, 'status' | 'owner'>>): Promise<void>
  /** Says of all open runs of a process that it is alive. */
  seen(owner: string, seen_at: number): Promise<void>
  /** Has no owner from now on, unless it is another's already. */
  leave(run_id: string, owner: string): Promise<void>
  /** True for the one caller that ended it. */
  end(run_id: string, end: RunEnd): Promise<boolean>
  /** For a run that never began. */
  forget(run_id: string): Promise<void>
  get(tenant_id: string, run_id: string): Promise<RunRow | undefined>
  /** Those that have not ended, of one tenant or of all, oldest first. */
  open(limit: number, tenant_id?: string): Promise<RunRow[]>
  /** The last run of each of these sessions, in no order: one that has not ended comes first. */
  latestOf(session_ids: readonly string[]): Promise<RunRow[]>
  /** Newest first. */
  list(query: RunQuery): Promise<RunRow[]>
  count(query: Omit<RunQuery, keyof Page>): Promise<number>
  /** By `key`, at most 1,000 rows. */
  usage(query: UsageQuery): Promise<UsageRow[]>
  /** Deletes at most `limit` that ended before `before`; gives how many. */
  deleteEnded(before: number, limit: number): Promise<number>
}
