import type { Role, User } from '@dataagent/schema'

/** An API key as it is stored: hashes only. */
export interface StoredKey extends KeyHashes {
  key_id: string
  tenant_id: string
  user_id: string
  name: string
  role: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

/** `hashed_api_key` finds the row, `key_mac` under the pepper `pepper_kid` proves the key. */
export interface KeyHashes {
  hashed_api_key: string
  key_mac: string
  pepper_kid: string
}

/** The tables behind keys. Every method throws `store_unavailable` while the database is away. */
export interface KeyTables {
  apiKeys: {
    create(key: StoredKey): Promise<void>
    /** Unless there is a usable one at `now`: of several processes at once, one makes it. */
    createFirst(key: StoredKey, now: number): Promise<boolean>
    findByHash(hashed_api_key: string): Promise<StoredKey | undefined>
    countUsable(now: number): Promise<number>
    touch(key_id: string, last_used_at: number): Promise<void>
    rehash(key_id: string, mac: Pick<KeyHashes, 'key_mac' | 'pepper_kid'>): Promise<void>
  }
  users: {
    /** Throws `conflict` where there is one. */
    create(user: StoredUser): Promise<void>
    get(tenant_id: string, user_id: string): Promise<StoredUser | undefined>
  }
  tenants: {
    /** Throws `conflict` where there is one. */
    create(tenant: StoredTenant): Promise<void>
    get(tenant_id: string): Promise<object | undefined>
  }
}

interface StoredUser extends Pick<User, 'tenant_id' | 'user_id' | 'name' | 'created_at'> {
  role: Role | string
  disabled_at: number | null
}

interface StoredTenant {
  tenant_id: string
  name: string
  max_users: null
  max_sessions_per_user: null
  max_mcp_servers: null
  workspace_quota: null
  features_enabled: never[]
  created_at: number
}

/** How keys are made and recognised. */
export interface KeyCraft {
  create(): { key: string; key_id: string }
  /** Whether it was meant as one of ours and is mistyped or cut. */
  isMistyped(key: string): boolean
  /** What `hashed_api_key` is for this key. */
  lookup(key: string): string
  hash(key: string): KeyHashes
  /** `stale`: right, but under an older pepper. Takes the same time for every wrong key. */
  verify(key: string, stored: KeyHashes): 'ok' | 'stale' | 'wrong'
}

/** What the room needs of the database, once it has been there. */
export interface KeyStores {
  tables: KeyTables
  craft: KeyCraft
}
