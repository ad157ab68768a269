import type { Kv } from '@dataagent/hub'
import type { KeyHashes, Tables } from '../ports/index.ts'

/** How keys and tokens are made and recognised. */
export interface KeyCraft {
  create(): { key: string; key_id: string }
  /** `key`: of our form, with 256 random bits; `mistyped`: meant as one; `other`: a chosen one. */
  kindOf(key: string): 'key' | 'mistyped' | 'other'
  /** What `hashed_api_key` is for this key. */
  lookup(key: string): string
  hash(key: string): KeyHashes
  /** `stale`: right, but under an older pepper. Takes the same time for every wrong key. */
  verify(key: string, stored: KeyHashes): 'ok' | 'stale' | 'wrong'
  /** 256 random bits. */
  createToken(): string
  /** What a token is stored under. */
  tokenHash(token: string): string
  /** What it may be stored under: by the current pepper first, then by older ones. */
  tokenHashes(token: string): string[]
}

/** What the room needs of the database, once it has been there. */
export interface KeyStores {
  tables: Pick<Tables, 'apiKeys' | 'users' | 'tenants' | 'browserSessions'>
  craft: KeyCraft
}

/** What the room needs of the stores to know who calls. */
export interface IdentityStores extends KeyStores {
  kv: Kv
}
