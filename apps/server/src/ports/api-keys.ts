import type { Noted, NotedWithin, Page } from './page.ts'

/** `hashed_api_key` finds the row, `key_mac` under the pepper `pepper_kid` proves the key. */
export interface KeyHashes {
  hashed_api_key: string
  key_mac: string
  pepper_kid: string
}

/** An API key as it is stored: hashes only. */
export interface StoredKey extends KeyHashes {
  key_id: string
  tenant_id: string
  user_id: string
  name: string
  role: string
  /** Whether its holder may act for other users of the tenant: 1 or 0. */
  act_as: number
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

export interface ApiKeys {
  /**
   * Throws `conflict` where the key exists, `not_found` for an unknown user, and `quota_exceeded`
   * where the user has `max` that are usable when it is made.
   */
  create(key: StoredKey, options?: NotedWithin): Promise<void>
  /** Unless there is a usable one at `now`: of several processes at once, one makes it. */
  createFirst(key: StoredKey, now: number): Promise<boolean>
  findByHash(hashed_api_key: string): Promise<StoredKey | undefined>
  get(tenant_id: string, key_id: string): Promise<StoredKey | undefined>
  /** Oldest first. */
  listByUser(tenant_id: string, user_id: string, page: Page): Promise<StoredKey[]>
  countByUser(tenant_id: string, user_id: string): Promise<number>
  /** Neither revoked nor expired at `now`, of all tenants. */
  countUsable(now: number): Promise<number>
  /** Throws `not_found`. A key that is revoked already keeps its first time. */
  revoke(tenant_id: string, key_id: string, revoked_at: number, options?: Noted): Promise<void>
  /**
   * Stores `next` and revokes `key_id` at `at`, both or neither. Throws `not_found`, and `conflict`
   * where the old one was revoked already: of several at once, one takes place.
   */
  rotate(key_id: string, next: StoredKey, at: number, options?: Noted): Promise<void>
  touch(key_id: string, last_used_at: number): Promise<void>
  /** Stores the MAC under a new pepper. */
  rehash(key_id: string, mac: Pick<KeyHashes, 'key_mac' | 'pepper_kid'>): Promise<void>
}
