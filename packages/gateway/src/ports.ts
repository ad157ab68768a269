import type { NewChange, Principal } from '@dataagent/hub'

/** `hashed_api_key` finds the row, `key_mac` under the pepper `pepper_kid` proves the key. */
export interface KeyHashes {
  hashed_api_key: string
  key_mac: string
  pepper_kid: string
}

/** How keys and tokens are made and recognised, as `@dataagent/store/secrets` does it. */
export interface TokenCraft {
  /** What `hashed_api_key` is for this key. */
  lookup(key: string): string
  hash(key: string): KeyHashes
  /** `stale`: right, but under an older pepper. Takes the same time for every wrong key. */
  verify(key: string, stored: Pick<KeyHashes, 'key_mac' | 'pepper_kid'>): 'ok' | 'stale' | 'wrong'
  /** 256 random bits. */
  createToken(): string
  /** What a token is stored under; with a dump of it nobody has the token. */
  tokenHash(token: string): string
  /** What it may be stored under: by the current pepper first, then by older ones. */
  tokenHashes(token: string): string[]
}

/**
 * A row of `mcp_tool_groups`: a set of tools under a name, with the key that opens it. Which tools
 * is the hub's allow-list of the subject `{ kind: 'group', id: group_id }`.
 */
export interface GroupRow {
  /** Unique in the installation: `/mcp/g/{group_id}`. */
  group_id: string
  tenant_id: string
  name: string
  description: string
  /** 1 or 0: a group that is off answers nobody. */
  enabled: number
  /** 1 or 0: any user of the tenant may pick it at the consent page; else administrators alone. */
  open_to_users: number
  /** 1 or 0: its key is told when it is made and never again. */
  shown_once: number
  /** The sealed key; null where it is shown once, or there is none. */
  api_key: string | null
  hashed_api_key: string | null
  key_mac: string | null
  pepper_kid: string | null
  key_created_at: number | null
  key_expires_at: number | null
  key_revoked_at: number | null
  /** The key before the last rotation, as long as both hold. */
  previous_hashed_api_key: string | null
  previous_key_mac: string | null
  previous_pepper_kid: string | null
  previous_expires_at: number | null
  /** Counts the keys that the group has had; `key_id` is `{group_id}.{key_number}`. */
  key_number: number
  /** JSON: which tool each bare name stands for, `{ "name": "server_id/tool" }`; never changed. */
  pinned_names: string
  created_at: number
  created_by: string | null
  updated_at: number
}

/** What is stored with a change: the note of who made it. */
export interface Noted {
  note?: NewChange | undefined
}

/**
 * Every change takes the next revision of the topic `groups` in the same transaction, which also
 * stores the note of it. All throw `store_unavailable`.
 */
export interface GroupRows {
  /** All, or those of one tenant; sorted by `group_id`. */
  load(tenant_id?: string): Promise<GroupRow[]>
  get(group_id: string): Promise<GroupRow | undefined>
  /**
   * Throws `conflict` where the id or the key's hash is taken, `quota_exceeded` where the tenant
   * has `max` already, counted in the same transaction.
   */
  create(row: GroupRow, options?: Noted & { max?: number | undefined }): Promise<void>
  /**
   * Changes these columns alone. With `ifKeyNumber`, throws `conflict` where the row has another:
   * of several rotations at once one takes place. Throws `not_found`.
   */
  update(
    tenant_id: string,
    group_id: string,
    fields: Partial<Omit<GroupRow, 'group_id' | 'tenant_id'>>,
    options?: Noted & { ifKeyNumber?: number },
  ): Promise<void>
  /** Gives whether it was there. Its grants are revoked in the same transaction. */
  delete(tenant_id: string, group_id: string, at: number, options?: Noted): Promise<boolean>
  /**
   * Adds names that are not pinned yet, and gives all of them as they stand afterwards: of two
   * processes at once the first decides.
   */
  pinNames(group_id: string, names: Record<string, string>): Promise<Record<string, string>>
  /** Rows that have a key and no hash of it: for the one-time command. */
  listUnhashed(): Promise<GroupRow[]>
}

/** A row of `mcp_oauth_clients`: a program that registered itself, or that an administrator did. */
export interface ClientRow {
  client_id: string
  client_name: string
  /** JSON of strings. */
  redirect_uris: string
  client_uri: string | null
  logo_uri: string | null
  token_endpoint_auth_method: 'none' | 'client_secret_post' | 'client_secret_basic'
  /** JSON of strings. */
  grant_types: string
  scope: string | null
  /** HMAC of the secret; null for a public client. */
  secret_hash: string | null
  /** `dynamic` goes away when it is not used, `static` stays. */
  kind: 'dynamic' | 'static'
  created_at: number
  last_used_at: number | null
}

export interface ClientRows {
  get(client_id: string): Promise<ClientRow | undefined>
  /** Gives false where `max` dynamic ones are there already. Throws `conflict` for a taken id. */
  create(row: ClientRow, options: { max: number }): Promise<boolean>
  touch(client_id: string, last_used_at: number): Promise<void>
  delete(client_id: string): Promise<boolean>
  /** Newest first. */
  list(options: { limit: number }): Promise<ClientRow[]>
  /** Dynamic ones that nobody has used since `before` and that have no grant. Gives how many. */
  deleteUnused(before: number, limit: number): Promise<number>
}

/** A row of `mcp_grants`: what a person allowed one client, as long as it is renewed. */
export interface GrantRow {
  grant_id: string
  tenant_id: string
  group_id: string
  /** `created_at` of the group: a later group of the same id is another one. */
  group_made_at: number
  /** Who gave it; null where a group's key did. */
  user_id: string | null
  /** The group's key that gave it: with that key it ends. Null where a person signed in. */
  key_id: string | null
  /** The person's own key by which they were known: with that key it ends. */
  user_key_id: string | null
  client_id: string
  client_name: string
  /** The URL that its tokens are for. */
  resource: string
  scope: string
  /** Of earlier versions: nobody reads it. */
  profile: 'standard' | 'seed'
  /** HMAC of the refresh token that holds, and of the one before it. */
  refresh_hash: string
  previous_hash: string | null
  rotated_at: number | null
  created_at: number
  last_used_at: number
  expires_at: number
  revoked_at: number | null
}

/** A person who allowed something, and the key of theirs by which they were known. */
export interface Giver {
  tenant_id: string
  user_id: string
  user_key_id: string | null
}

/** Who a giver is now, and when the key ends by which they were known; null where it does not. */
export interface KnownGiver {
  principal: Principal
  expires_at: number | null
}

/** All that a person allowed, or what they allowed by one of their keys. */
export interface GrantsOfUser {
  tenant_id: string
  user_id: string
  user_key_id?: string
}

export interface GrantRows {
  create(row: GrantRow): Promise<void>
  get(grant_id: string): Promise<GrantRow | undefined>
  /**
   * Replaces `from` by `to` where `from` is the hash that holds and nothing was revoked: of several
   * at once one takes place. Gives whether it was this one.
   */
  rotate(
    grant_id: string,
    change: { from: string; to: string; at: number; expires_at: number },
  ): Promise<boolean>
  /** Gives those that this revoked: none where they were already. */
  revoke(
    which:
      | { grant_id: string }
      | { tenant_id: string; group_id: string; key_id?: string }
      | GrantsOfUser,
    at: number,
    options?: Noted,
  ): Promise<string[]>
  /** Newest first; those that hold at `now`. */
  list(
    query: Partial<GrantsOfUser> & { tenant_id: string; group_id?: string; limit: number },
    now: number,
  ): Promise<GrantRow[]>
  deleteEnded(before: number, limit: number): Promise<number>
}

/** What the gateway keeps in the database. */
export interface GatewayStore {
  groups: GroupRows
  clients: ClientRows
  grants: GrantRows
}
