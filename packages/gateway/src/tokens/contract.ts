import type { GrantRow } from '../ports.ts'

/** Tokens tell what they are by their beginning: none is tried as another. */
export const prefixes = {
  session: 'st_',
  refresh: 'rt_',
  code: 'ac_',
  group_key: 'mk_',
} as const

/** `read` lists, and calls tools that only read; `call` calls all tools of the group. */
export const scopes = ['mcp:read', 'mcp:call'] as const
export type Scope = (typeof scopes)[number]

/**
 * What an access token (the `sessionToken`) stands for, under `mcp:session:<HMAC of the token>` in
 * the KV and nowhere else. The permission to call is asked of the group at each call:
 * `allowed_tools` says what there was when it was made, for people who look.
 */
export interface TokenSession {
  group_id: string
  group_name: string
  /** Name of the client, as it calls itself. */
  client: string
  allowed_tools: readonly string[]
  tenant_id: string
  user_id: string | null
  client_id: string | null
  /** The URL it is for; null where a key was exchanged: any endpoint of ours. */
  resource: string | null
  scopes: readonly Scope[]
  /** The group's key that gave it. */
  key_id: string | null
  /** An administrator allowed it. What a user allowed holds while its group is open to users. */
  by_administrator: boolean
  /** The grant that renews it. */
  grant_id: string | null
  /** The person's own key by which they were known when they allowed it. */
  user_key_id: string | null
  /** When its group was made: a later group of the same id is another one. */
  group_made_at: number
  created_at: number
  expires_at: number
}

export type NewSession = Omit<
  TokenSession,
  'created_at' | 'expires_at' | 'allowed_tools' | 'group_made_at' | 'by_administrator'
>

/** What a code stands for until it is redeemed: `ac_…`, in the KV under its HMAC, once. */
export interface CodeContent {
  client_id: string
  client_name: string
  redirect_uri: string
  code_challenge: string
  resource: string
  scopes: readonly Scope[]
  tenant_id: string
  group_id: string
  user_id: string | null
  key_id: string | null
  /** The key by which the person was known; null where none was. */
  user_key_id: string | null
}

export interface TokenPair {
  access_token: string
  expires_in: number
  refresh_token: string
  scope: string
  group_name: string
}

export type Redeemed =
  | { status: 'ok'; tokens: TokenPair }
  /** `invalid_grant`: wrong, used, expired, of another client. `why` is for people. */
  | { status: 'refused'; error: RedeemError; why: string }

export type RedeemError = 'invalid_grant' | 'invalid_scope' | 'invalid_target'

/** Sessions, codes and grants. All reject with `store_unavailable`. */
export interface Tokens extends AsyncDisposable {
  /**
   * Known for at most a second without asking the KV. Undefined: not there, expired, revoked, its
   * group or key no longer holds, the group was closed to users and one of them allowed it, or
   * the key of the one who did has an allow-list of its own by now.
   */
  find(access_token: string): Promise<TokenSession | undefined>
  /** As HMAC: a name for a token that can be written down. */
  hashOf(token: string): string
  /**
   * A session without a grant: an API key was exchanged for it. Throws `not_found` where the group
   * is gone.
   */
  open(session: NewSession): Promise<{ access_token: string; session: TokenSession }>
  /** Throws `not_found` where the group is gone. */
  createCode(content: CodeContent): Promise<string>
  /**
   * Once: of many at once one gets it. What belongs to the client (its id, the redirect URI, the
   * verifier, the resource) is checked before anything is spent or revoked: who has seen a code and
   * lacks the verifier neither burns it nor ends what it gave, and a verifier of 256 bits is not
   * guessed by trying. A code that was redeemed already revokes the grant it gave (RFC 6749 §4.1.2,
   * RFC 9700 §4.5); one that is being redeemed at this moment is refused alone. Refused too where
   * the person who allowed it may do so no longer.
   */
  redeem(
    code: string,
    shown: { client_id: string; redirect_uri: string; code_verifier: string; resource?: string },
  ): Promise<Redeemed>
  /**
   * Rotates. The token before it gives the same pair for 30 s, in any process; after that, as any
   * older one, it revokes the grant. One that was never given out, or is shown by another client,
   * changes nothing. The person who allowed it is asked about each time: where they may no longer
   * allow the group, the grant is revoked.
   */
  refresh(
    refresh_token: string,
    shown: { client_id: string; scope?: string; resource?: string },
  ): Promise<Redeemed>
  /** RFC 7009: an unknown token is no error. A refresh token ends its grant and sessions. */
  revoke(token: string, shown: { client_id: string }): Promise<void>
  /** Ends these grants and all their sessions: within a second everywhere. Safe to repeat. */
  revokeGrants(grant_ids: readonly string[]): Promise<void>
  /** Whether a grant was ended of late: as long as a session of it may have lived. */
  hasEnded(grant_id: string): Promise<boolean>
  /**
   * `handler` is told of grants that ended or of which a session did, in any process; undefined:
   * any may have. Must not throw.
   */
  onEnded(handler: (grant_ids: readonly string[] | undefined) => void): () => void
  introspect(
    token: string,
  ): Promise<
    { active: false } | { active: true; session: TokenSession } | { active: true; grant: GrantRow }
  >
}
