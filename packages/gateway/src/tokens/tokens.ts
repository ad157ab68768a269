import { systemClock } from '@dataagent/guard'
import type { GrantRow } from '../ports.ts'
import { createCodes } from './codes.ts'
import { prefixes, type TokenSession, type Tokens } from './contract.ts'
import { createEndedGrants } from './ended-grants.ts'
import { createGrantTerms } from './grant-terms.ts'
import { createIssuing } from './issuing.ts'
import type { TokensOptions } from './options.ts'
import { createRefreshTokens } from './refresh-token.ts'
import { createRefreshing } from './refreshing.ts'
import { createSessions } from './sessions.ts'

/** Access tokens, refresh tokens and codes. Nothing secret is stored. */
export function createTokens(options: TokensOptions): Tokens {
  const { kv, grants, groups, craft, clock = systemClock, settings = {} } = options
  const { onError = () => {} } = options
  const sessionMs = (settings.session_ttl_seconds ?? 3_600) * 1_000
  const refreshTokens = createRefreshTokens(options)
  const ended = createEndedGrants({ kv, grants, clock, sessionMs })
  const sessions = createSessions({ kv, craft, ended, clock, onError })
  const endGrant = (grant_id: string) => sessions.endGrants([grant_id])
  const { endOf, termsOf } = createGrantTerms({ ...options, clock, settings })
  const issuing = createIssuing({
    ...{ grants, groups, craft, clock, sessions, refreshTokens, sessionMs },
    ...{ endOf, termsOf, endGrant },
    toolNames: options.toolNames,
  })
  const codes = createCodes({ kv, craft, clock, holds, endGrant })
  const refreshing = createRefreshing({
    ...{ grants, craft, tokens: refreshTokens, ended, clock, endOf, holds, endGrant },
    termsOf,
    openSession: issuing.openSession,
  })

  /** Whether the group, and the key that gave it, still hold. */
  function holds(given: Pick<GrantRow, 'group_id' | 'group_made_at' | 'key_id'>): boolean {
    const { group_id, group_made_at, key_id } = given
    const isSame = groups.get(group_id)?.created_at === group_made_at
    return isSame && groups.holds(group_id, key_id)
  }

  async function find(access_token: string): Promise<TokenSession | undefined> {
    const session = await sessions.find(access_token)
    if (session === undefined || !holds(session) || !isOpenTo(session)) return undefined
    return groups.isBoundKey(session.tenant_id, session.user_key_id) ? undefined : session
  }

  /** What a user allowed ends when the group is closed to users, and not at its next renewal. */
  function isOpenTo({ group_id, user_id, by_administrator }: TokenSession): boolean {
    return user_id === null || by_administrator || groups.get(group_id)?.open_to_users === 1
  }

  /** The grant of a refresh token that can be used. */
  async function findGrant(refresh_token: string): Promise<GrantRow | undefined> {
    const parsed = refreshTokens.parse(refresh_token)
    const grant = parsed && (await grants.get(parsed.grant_id))
    if (grant === undefined || refreshing.whyNot(grant, grant)) return undefined
    if (refreshing.placeOf(refresh_token, grant) === 'older') return undefined
    if (await ended.has(grant.grant_id)) return undefined
    return (await termsOf(grant)) ? grant : undefined
  }

  return {
    find,
    hashOf: craft.tokenHash,
    async open(asked) {
      const session = issuing.toSession(asked)
      const access_token = prefixes.session + craft.createToken()
      await sessions.put(access_token, session)
      return { access_token, session }
    },
    async createCode(content) {
      const { created_at } = issuing.groupOf(content.group_id)
      return codes.create({ ...content, group_made_at: created_at })
    },
    redeem: (code, shown) => codes.redeem(code, shown, issuing.issue),
    refresh: refreshing.refresh,
    async revoke(token, { client_id }) {
      const session = await sessions.find(token)
      if (session?.client_id === client_id) await sessions.end(token, session)
      const parsed = refreshTokens.parse(token)
      const grant = parsed && (await grants.get(parsed.grant_id))
      if (grant?.client_id === client_id) await endGrant(grant.grant_id)
    },
    revokeGrants: sessions.endGrants,
    hasEnded: ended.has,
    onEnded: sessions.onEnded,
    async introspect(token) {
      const session = await find(token)
      if (session) return { active: true, session }
      const grant = await findGrant(token)
      return grant ? { active: true, grant } : { active: false }
    },
    [Symbol.asyncDispose]: sessions.close,
  }
}
