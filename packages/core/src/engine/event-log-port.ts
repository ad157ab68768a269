/** What the engine needs of a session's log; `@dataagent/store/sql` has it. */
export interface EventLogPort {
  /**
   * Appends all or none, and resolves when they are durable. Throws `not_found` (no such session),
   * `conflict` (the log has gone on since `after`), `too_large`, `storage_full`,
   * `store_unavailable`.
   */
  append(
    session_id: string,
    entries: readonly { kind: string; json: string }[],
    options?: { after?: number },
  ): Promise<{ first: number; last: number }>
  /** The last `limit` events, oldest first. */
  tail(session_id: string, limit: number): Promise<LogRow[]>
  /** Events with a seq above `after`, oldest first. */
  read(session_id: string, page: { after: number; limit: number }): Promise<LogRow[]>
  head(session_id: string): Promise<number>
}

export interface LogRow {
  seq: number
  kind: string
  json: string
}
