import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { GrantRow, GroupRow } from '../ports.ts'
import { noLonger, refuse } from './check-code.ts'
import type { StoredCode } from './codes.ts'
import {
  type NewSession,
  prefixes,
  type Redeemed,
  type Scope,
  type TokenPair,
  type TokenSession,
} from './contract.ts'
import type { SessionTerms } from './grant-terms.ts'
import type { TokensOptions } from './options.ts'
import type { RefreshTokens } from './refresh-token.ts'
import type { Sessions } from './sessions.ts'

export interface IssuingOptions
  extends Pick<TokensOptions, 'grants' | 'groups' | 'craft' | 'toolNames'> {
  sessions: Pick<Sessions, 'put'>
  refreshTokens: RefreshTokens
  clock: Clock
  sessionMs: number
  /** When a grant ends that is used now. */
  endOf(grant: Pick<GrantRow, 'created_at'>): number
  /** Undefined where the person who allowed it may no longer do so. */
  termsOf(grant: GrantRow): Promise<SessionTerms | undefined>
  endGrant(grant_id: string): Promise<void>
}

export type NewPair = Pick<TokenPair, 'access_token' | 'refresh_token' | 'scope'>

/** A group's key was exchanged: the session ends with it. */
const ofKey: SessionTerms = { by_administrator: false, until: Infinity }

/** Makes sessions, and the grants that renew them. */
export function createIssuing(options: IssuingOptions) {
  const { grants, groups, craft, toolNames, sessions, refreshTokens, clock } = options
  const { sessionMs, endOf, termsOf, endGrant } = options

  function groupOf(group_id: string): GroupRow {
    const group = groups.get(group_id)
    if (group) return group
    throw new AppError('not_found', `there is no tool group ${group_id}`)
  }

  function toSession(session: NewSession, terms: SessionTerms = ofKey): TokenSession {
    const group = groupOf(session.group_id)
    const now = clock.now()
    const { by_administrator, until } = terms
    const expires_at = Math.min(now + sessionMs, until)
    const times = { group_made_at: group.created_at, created_at: now, expires_at }
    return { ...session, by_administrator, allowed_tools: [...toolNames(group)], ...times }
  }

  /** Opens the session of an access token, unless it is open. */
  async function openSession(
    grant: GrantRow,
    { terms, ...pair }: NewPair & { terms: SessionTerms },
  ): Promise<TokenPair> {
    const { tenant_id, group_id, user_id, client_id, resource, key_id, grant_id } = grant
    const group_name = groupOf(group_id).name
    const scopes = pair.scope.split(' ') as Scope[]
    const given = {
      ...{ group_id, group_name, client: grant.client_name, tenant_id, user_id, client_id },
      ...{ resource, scopes, key_id, grant_id, user_key_id: grant.user_key_id },
    }
    const session = toSession(given, terms)
    const expires_at = await sessions.put(pair.access_token, session)
    const expires_in = Math.max(0, Math.floor((expires_at - clock.now()) / 1_000))
    return { ...pair, expires_in, group_name }
  }

  async function issue(code: StoredCode, grant_id: string): Promise<Redeemed> {
    const refresh_token = refreshTokens.first(grant_id)
    const now = clock.now()
    const { tenant_id, group_id, group_made_at, user_id, key_id, resource } = code
    const { client_id, client_name, user_key_id } = code
    const grant: GrantRow = {
      ...{ grant_id, tenant_id, group_id, group_made_at, user_id, key_id, client_id, client_name },
      ...{ user_key_id, resource, profile: 'standard', scope: code.scopes.join(' ') },
      ...{ refresh_hash: craft.tokenHash(refresh_token), previous_hash: null, rotated_at: null },
      ...{ created_at: now, last_used_at: now, revoked_at: null },
      expires_at: endOf({ created_at: now }),
    }
    await grants.create(grant)
    // Not before: who takes the person's grants back meanwhile finds this one.
    const terms = await termsOf(grant)
    if (terms === undefined) {
      await endGrant(grant_id)
      return refuse(noLonger)
    }
    const access_token = prefixes.session + craft.createToken()
    const pair = { access_token, refresh_token, scope: grant.scope }
    return { status: 'ok', tokens: await openSession(grant, { ...pair, terms }) }
  }

  return { groupOf, toSession, openSession, issue }
}
