/** What is held in memory and changed elsewhere. `calls` change only where all of a tenant go. */
export const topics = [
  ...(['servers', 'tools', 'policy', 'tenants', 'agents', 'groups'] as const),
  'calls',
] as const
export type Topic = (typeof topics)[number]

export interface RevisionRow {
  tenant_id: string
  topic: Topic
  revision: number
}

/** Revisions rise over all tenants and topics, in the order of commits. */
export interface RevisionRows {
  /** Rows with a revision above `after`, lowest first. */
  changedSince(after: number): Promise<RevisionRow[]>
  /** For a change that is not made through a repository with its own revision. */
  bump(tenant_id: string, topic: Topic): Promise<number>
}

export type Reload = (tenant_id?: string) => Promise<void>

/**
 * Keeps this process's memory at the store's revision: asks every second, and at once when another
 * process publishes a hint.
 */
export interface Revisions extends AsyncDisposable {
  /** The revision that memory stands at. */
  readonly current: number
  /** Milliseconds since memory was last known to be current; Infinity where it never was. */
  unconfirmedMs(): number
  /**
   * Asks now, and resolves when memory holds what was stored before the call. Rejects where the
   * store is away or memory cannot be brought up to date. Asks at the same time share one.
   */
  check(): Promise<void>
  /** Tells other processes that something has changed. Never rejects: it is a hint. */
  publish(tenant_id: string, topic: Topic): Promise<void>
  /**
   * `reload` is called for each change; until it resolves, memory is not confirmed, but for tools,
   * which may be as they were for a minute at the most. Without a tenant it is to load everything:
   * the first time, and where very much has changed. One that rejects is called again at the next
   * check.
   */
  follow(topic: Topic, reload: Reload): () => void
  start(): void
  close(): Promise<void>
}
