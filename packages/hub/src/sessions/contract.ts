export interface SessionRef {
  tenant_id: string
  session_id: string
}

export interface SessionRow extends SessionRef {
  user_id: string
  /** The revision of the tenant's servers at which it began. */
  snapshot: number
  opened_at: number
  /** When it was opened last, to the hour. */
  touched_at: number
}

/** Which sessions there are, for the editions of servers that they hold. */
export interface SessionRows {
  /**
   * The snapshot of a session, taken now where it is new: in turn with all changes of servers.
   * Throws `not_found` for a session of another user.
   */
  open(
    session: SessionRef & { user_id: string },
    now: number,
  ): Promise<{ snapshot: number; isNew: boolean }>
  /** Also drops editions that no session holds any more; whether there were any. */
  close(ref: SessionRef): Promise<boolean>
  /**
   * Deletes sessions that nobody has opened since `before`, and editions that no session holds;
   * gives the tenants of those.
   */
  sweep(before: number): Promise<string[]>
}

/** Sessions of users, which keep the user's own servers as they were when they began. */
export interface Sessions {
  /**
   * A session begins, or goes on in this process: to be awaited before each turn. From then on a
   * context with its `session_id` sees the user's servers as they were when it was opened first,
   * in whichever process. Costs a read. Throws `not_found` for a session of another user.
   */
  open(session: SessionRef & { user_id: string }): Promise<void>
  /** It ends: what it alone held is closed. Opened again, it begins anew. */
  close(ref: SessionRef): Promise<void>
}
