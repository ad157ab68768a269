import type { Principal } from '@dataagent/hub'
import type { DataPlan, DataRow, QueryResult } from '@dataagent/schema'

/** Who asks, and in which session. */
export interface AskContext {
  principal: Principal
  session_id?: string | undefined
  signal: AbortSignal
}

/** Whose session is copied. */
export interface CopyContext {
  principal: Pick<Principal, 'tenant_id' | 'user_id'>
  signal: AbortSignal
}

export interface NewQuery {
  /** By id or name. */
  source: string
  sql: string
  purpose?: string | undefined
  /** Rows that are shown at once. Default 50. */
  limit?: number | undefined
  timeoutMs?: number | undefined
  verified_question_id?: string | undefined
}

/**
 * Queries that were run, and their rows. What is asked for by id is that of whoever ran it, and,
 * unless it asked somebody's own files, an administrator's too: `not_found` for others.
 */
export interface Queries {
  /** What one may take once it has its place. */
  readonly timeoutMs: number
  /** Throws in words that a model can act on; the attempt is recorded. */
  run(context: AskContext, query: NewQuery): Promise<QueryResult>
  /** By id, or by `q1` within the session. */
  get(context: AskContext, query: string): Promise<QueryResult>
  /** Of the session, in their order. */
  list(context: Pick<AskContext, 'principal' | 'session_id'>): Promise<QueryResult[]>
  rows(
    context: AskContext,
    query_id: string,
    page: { offset: number; limit: number },
  ): Promise<DataRow[]>
  /** How its source would run a query now; that is no query of its own. */
  explain(context: AskContext, query_id: string): Promise<DataPlan>
  /** All rows that are kept. */
  stream(context: AskContext, query_id: string): AsyncIterable<readonly DataRow[]>
  /**
   * Gives a session without queries those of another one, with their numbers, up to the first that
   * was not asked `before`. Of the newest the kept rows too, as many as one copy may take; those of
   * others are gone there. Which query is which there, by their ids.
   */
  copySession(
    context: CopyContext,
    sessions: { from: string; to: string; before?: number | undefined },
  ): Promise<ReadonlyMap<string, string>>
  /** Removes what is older than the time that queries are kept, and what sessions left. */
  sweep(): Promise<{ removed: number }>
}
