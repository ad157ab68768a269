import type { Message, Session } from '@dataagent/schema'

export type SessionChange = Partial<
  Pick<Session, 'assistant_id' | 'last_active' | 'state' | 'metadata'>
>

export interface Page {
  limit: number
  offset: number
}

/** Latest activity first. */
type ListSessions = (tenant_id: string, id: string, page: Page) => Promise<Session[]>

/**
 * Where sessions are kept [D13.2]. A session is found only under its own tenant. Every method may
 * throw `store_unavailable` beside its own errors.
 */
export interface SessionStore {
  listByUser: ListSessions
  listByAssistant: ListSessions
  countByUser(tenant_id: string, user_id: string): Promise<number>
  get(tenant_id: string, session_id: string): Promise<Session | undefined>
  /**
   * Throws `conflict` where any tenant has the id, `invalid_request` for one of no use, and
   * `quota_exceeded` where the user has `max` sessions already: of any number at once, in any
   * process, as many succeed as there is room for.
   */
  create(session: Session, options?: { max?: number | undefined }): Promise<void>
  /** Deletes the session with its messages and events; false where there was none. */
  delete(tenant_id: string, session_id: string): Promise<boolean>
  /**
   * Changes of one session are made one after another, each on what the one before left; `change`
   * may be called again where another was faster. Throws `not_found`.
   */
  update(
    tenant_id: string,
    session_id: string,
    change: (session: Session) => SessionChange,
  ): Promise<Session>
  /**
   * Deletes at most `limit` sessions, of all tenants, that were last active before `before`; gives
   * their ids. One that came to life meanwhile stays.
   */
  cleanupExpired(options: { before: number; limit: number }): Promise<string[]>
}

/** Finds sessions of a user by what was said in them. */
export interface SessionSearch {
  /**
   * Those whose title (`metadata.title`) or messages hold a text: as it is, without regard to case
   * as far as the store can. Latest activity first.
   */
  search(tenant_id: string, user_id: string, text: string, page: Page): Promise<Session[]>
  countFound(tenant_id: string, user_id: string, text: string): Promise<number>
}

/** The append-only log of each session. */
export interface SessionLog {
  /**
   * Appends all or none, and resolves when they are stored. Throws `not_found` (no such session),
   * `conflict` (the log has gone on since `after`), `too_large`, `invalid_request` (nothing to
   * append), `storage_full` and `store_unavailable`, after which it is not known whether they were.
   */
  append(
    session_id: string,
    entries: readonly LogEntry[],
    options?: { after?: number },
  ): Promise<{ first: number; last: number }>
  /** The last `limit` events, oldest first; fewer where those have 8 MiB, but at least one. */
  tail(session_id: string, limit: number): Promise<LoggedEntry[]>
  /**
   * Events with a seq above `after`, oldest first: at most `limit`, and none behind the one with
   * which they have 8 MiB. `readPages` reads on.
   */
  read(session_id: string, page: { after: number; limit: number }): Promise<LoggedEntry[]>
  /** The last seq; 0 for a log that is empty. */
  head(session_id: string): Promise<number>
}

export interface LogEntry {
  kind: string
  json: string
}

export interface LoggedEntry extends LogEntry {
  seq: number
}

/** The history as people read it [D26]. */
export interface MessageStore {
  /**
   * Stores messages of one session, all or none. `seq` is that of the event a message was made
   * from, so that saving a turn twice is a `conflict`, not a second copy. Throws `not_found` for an
   * unknown session.
   */
  add(messages: readonly StoredMessage[]): Promise<void>
  /** Oldest first. */
  list(session_id: string, page: Page): Promise<StoredMessage[]>
  count(session_id: string): Promise<number>
}

export interface StoredMessage extends Message {
  seq: number
}

/** One store for all of a session: on SQL, on Redis or in memory. */
export interface SessionStores {
  sessions: SessionStore
  events: SessionLog
  messages: MessageStore
}
