/** A browser that is signed in. The token itself is in its cookie alone. */
export interface BrowserSessionRow {
  /** Keyed hash of the token. */
  token_mac: string
  tenant_id: string
  user_id: string
  role: string
  /** The API key that it was made from; null for one that an identity provider vouched for. */
  key_id: string | null
  created_at: number
  last_used_at: number
  expires_at: number
}

export interface BrowserSessions {
  create(row: BrowserSessionRow): Promise<void>
  find(token_mac: string): Promise<BrowserSessionRow | undefined>
  touch(token_mac: string, last_used_at: number): Promise<void>
  /** False where there was none. */
  delete(token_mac: string): Promise<boolean>
  /** Signs a user out everywhere; gives how many there were. */
  deleteByUser(tenant_id: string, user_id: string): Promise<number>
  /** Deletes at most `limit` that have expired at `now`; gives how many. */
  deleteExpired(now: number, limit: number): Promise<number>
}
