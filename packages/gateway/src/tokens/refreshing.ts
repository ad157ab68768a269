import type { Clock } from '@dataagent/guard'
import type { GrantRow, GrantRows, TokenCraft } from '../ports.ts'
import { noLonger, refuse } from './check-code.ts'
import type { Redeemed, Scope, TokenPair } from './contract.ts'
import type { EndedGrants } from './ended-grants.ts'
import type { SessionTerms } from './grant-terms.ts'
import type { NewPair } from './issuing.ts'
import type { RefreshTokens } from './refresh-token.ts'

export interface RefreshingOptions {
  grants: Pick<GrantRows, 'get' | 'rotate'>
  craft: Pick<TokenCraft, 'tokenHash' | 'tokenHashes'>
  tokens: RefreshTokens
  ended: EndedGrants
  clock: Clock
  /** When a grant ends that is used now. */
  endOf(grant: GrantRow): number
  /** Whether the group, and the key that gave the grant, still hold. */
  holds(grant: GrantRow): boolean
  /** Undefined where the person who allowed it may no longer do so. */
  termsOf(grant: GrantRow): Promise<SessionTerms | undefined>
  /** Opens the session of an access token, unless it is open; gives the pair. */
  openSession(grant: GrantRow, pair: NewPair & { terms: SessionTerms }): Promise<TokenPair>
  endGrant(grant_id: string): Promise<void>
}

interface ShownRefresh {
  client_id: string
  scope?: string
  resource?: string
}

/** For so long the token before it gives the same pair: its answer may have been lost. */
const graceMs = 30_000
/** Each turn another one has rotated meanwhile: then this one finds what that one has made. */
const mostTurns = 3

/** Which of a grant's refresh tokens this is. */
export type Place = 'current' | 'previous' | 'older'

export function createRefreshing(options: RefreshingOptions) {
  const { grants, craft, tokens, ended, clock, endOf, holds, openSession, endGrant } = options

  function placeOf(refresh_token: string, grant: GrantRow): Place {
    const hashes = craft.tokenHashes(refresh_token)
    if (hashes.includes(grant.refresh_hash)) return 'current'
    if (grant.previous_hash === null || !hashes.includes(grant.previous_hash)) return 'older'
    return clock.now() - (grant.rotated_at ?? 0) > graceMs ? 'older' : 'previous'
  }

  /** Why it cannot be used at all; says nothing that the client does not know. */
  function whyNot(grant: GrantRow | undefined, shown: ShownRefresh): string | undefined {
    if (grant === undefined || grant.client_id !== shown.client_id) return 'the token is unknown'
    if (grant.revoked_at !== null) return 'the grant was revoked'
    if (grant.expires_at <= clock.now()) return 'the grant has expired'
    return holds(grant) ? undefined : 'the tool group, or its key, has ended'
  }

  /** Once more where another one has rotated meanwhile. */
  async function exchange(
    refresh_token: string,
    { grant, scope, terms }: { grant: GrantRow; scope: string; terms: SessionTerms },
  ): Promise<Redeemed | undefined> {
    const next = tokens.next(refresh_token)
    const access_token = tokens.accessFor(refresh_token, scope)
    const place = placeOf(refresh_token, grant)
    // The session comes first: one who is cut off in between has the token that still holds.
    const open = () => openSession(grant, { access_token, refresh_token: next, scope, terms })
    if (place === 'previous') {
      if (placeOf(next, grant) !== 'current') return refuse('the token was made with another key')
      return { status: 'ok', tokens: await open() }
    }
    const pair = await open()
    const at = clock.now()
    const change = { from: grant.refresh_hash, to: craft.tokenHash(next), at }
    const isRotated = await grants.rotate(grant.grant_id, { ...change, expires_at: endOf(grant) })
    return isRotated ? { status: 'ok', tokens: pair } : undefined
  }

  async function refresh(refresh_token: string, shown: ShownRefresh): Promise<Redeemed> {
    const parsed = tokens.parse(refresh_token)
    if (parsed === undefined) return refuse('the token is unknown')
    const { grant_id } = parsed
    for (let turn = 0; turn < mostTurns; turn++) {
      const grant = await grants.get(grant_id)
      const why = whyNot(grant, shown)
      if (grant === undefined || why !== undefined) return refuse(why ?? 'the token is unknown')
      if (placeOf(refresh_token, grant) === 'older' || (await ended.has(grant_id))) {
        await endGrant(grant_id)
        return refuse('the token was used before: the grant is revoked')
      }
      const terms = await options.termsOf(grant)
      if (terms === undefined) {
        await endGrant(grant_id)
        return refuse(noLonger)
      }
      const scope = narrow(grant, shown.scope)
      if (scope === undefined) return refuse('the grant is not that wide', 'invalid_scope')
      if (shown.resource !== undefined && shown.resource !== grant.resource) {
        return refuse('the grant is for another resource', 'invalid_target')
      }
      const given = await exchange(refresh_token, { grant, scope, terms })
      if (given !== undefined) return given
    }
    return refuse('the grant is being changed')
  }

  return { refresh, placeOf, whyNot }
}

/** The scope that is asked for, in the order of the grant's; undefined where it is wider. */
function narrow(grant: GrantRow, asked: string | undefined): string | undefined {
  const granted = grant.scope.split(' ') as Scope[]
  if (asked === undefined || asked === '') return grant.scope
  const wanted = asked.split(' ')
  if (!wanted.every((scope) => (granted as string[]).includes(scope))) return undefined
  return granted.filter((scope) => wanted.includes(scope)).join(' ')
}
