/** Whose memory; from the credential and the agent, never from what a request says. */
export interface MemoryOwner {
  tenant_id: string
  user_id: string
  assistant_id: string
}

/** A remembered fact, with where it came from. It is never changed: a newer one replaces it. */
export interface Fact {
  fact_id: string
  text: string
  /** `user`: asked for in so many words. `assistant`: the model thought it worth keeping. */
  by: 'user' | 'assistant'
  created_at: number
  session_id?: string | undefined
  /** The message, run or call that it was said in. */
  said_in?: string | undefined
}

export type NewFact = Omit<Fact, 'fact_id' | 'created_at'>

export interface FactList {
  /** Newest first. */
  facts: Fact[]
  /** Files that could not be read as facts and are kept aside. */
  damaged: number
}

export interface RecallOptions {
  /** Default 8. */
  limit?: number | undefined
  /** Of all texts together. Default 4,000. */
  maxCharacters?: number | undefined
}

/** The memory of one user with one assistant, as it is handed out. */
export interface ExportedMemory {
  assistant_id: string
  facts: Fact[]
}

/**
 * What assistants remember of users, each pair apart [D34]. Facts older than the retention are
 * never given, whether a sweep has removed them or not. Several processes may use one root at the
 * same time. All verbs throw AppErrors only: `forbidden` for an owner who is nobody in particular,
 * and those of guard's workspace.
 */
export interface MemoryStore extends AsyncDisposable {
  /**
   * Keeps a fact; one that says the same is replaced. Throws `invalid_request` for an empty text,
   * `too_large` for a long one, `quota_exceeded` where the owner has too many.
   */
  remember(owner: MemoryOwner, fact: NewFact): Promise<Fact>
  /** The facts that have words of the query, best first. */
  recall(owner: MemoryOwner, query: string, options?: RecallOptions): Promise<Fact[]>
  list(owner: MemoryOwner): Promise<FactList>
  /** Whether there was such a fact. */
  forget(owner: MemoryOwner, fact_id: string): Promise<boolean>
  /** Removes all that one assistant, or without one that any, remembers of the user. */
  clear(owner: Omit<MemoryOwner, 'assistant_id'> & { assistant_id?: string }): Promise<void>
  export(owner: Omit<MemoryOwner, 'assistant_id'>): Promise<ExportedMemory[]>
  /** Where all that is remembered of a tenant's users is; absolute. Not for the default one. */
  foldersOf(tenant_id: string): string[]
  /** Removes what is older than the retention, of all users. */
  sweep(options?: { signal?: AbortSignal | undefined }): Promise<{ removed: number }>
}
