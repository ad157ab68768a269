import type { Clock } from '@dataagent/guard'
import type { TokenCraft } from '../ports.ts'
import { prefixes, type TokenSession } from './contract.ts'
import { createEndHints, type EndHintsOptions } from './end-hints.ts'
import type { EndedGrants } from './ended-grants.ts'
import { createHiddenValues, type HiddenValuesOptions } from './hidden-values.ts'
import { createKnownSessions } from './known-sessions.ts'

export interface SessionsOptions {
  kv: HiddenValuesOptions['kv'] & EndHintsOptions['kv']
  craft: TokenCraft
  ended: EndedGrants
  clock: Clock
  onError(error: unknown): void
}

/** A session that was ended leaves a mark until it would have expired: it does not come again. */
type Stored = TokenSession | { ended_at: number; expires_at: number }

const longestToken = 128

/** Sessions in the KV, under the HMAC of their token and nowhere else. */
export function createSessions({ kv, craft, ended, clock, onError }: SessionsOptions) {
  const stored = createHiddenValues<Stored>({ kv, craft, prefix: 'mcp:session:' })
  const known = createKnownSessions(clock)
  const hints = createEndHints({
    ...{ kv, clock, onError, onGap: known.forgetAll },
    onEnded({ session, grant_ids }) {
      if (session !== undefined) known.forget(session)
      if (grant_ids !== undefined) known.forgetGrants(grant_ids)
    },
  })

  async function read(token: string, hash: string): Promise<TokenSession | undefined> {
    const grant_id = known.last(hash)?.grant_id
    const asked = grant_id ? ended.has(grant_id) : undefined
    const [found, isEnded] = await Promise.all([stored.get(token), asked])
    if (found === undefined || 'ended_at' in found || isEnded) return undefined
    const isUnasked = found.grant_id !== null && isEnded === undefined
    return isUnasked && (await ended.has(found.grant_id as string)) ? undefined : found
  }

  async function find(token: string): Promise<TokenSession | undefined> {
    if (!token.startsWith(prefixes.session) || token.length > longestToken) return undefined
    hints.listen()
    const hash = craft.tokenHash(token)
    const session = await known.ask(hash, () => read(token, hash))
    return session && session.expires_at > clock.now() ? session : undefined
  }

  return {
    find,
    /** Stores it, unless there is one of that token: gives when the one that is there expires. */
    async put(token: string, session: TokenSession): Promise<number> {
      const ttlMs = Math.max(1, session.expires_at - clock.now())
      if (await stored.setIfAbsent(token, session, ttlMs)) return session.expires_at
      return (await stored.get(token))?.expires_at ?? session.expires_at
    },
    async end(token: string, { expires_at }: TokenSession): Promise<void> {
      const now = clock.now()
      const mark = { ended_at: now, expires_at }
      await stored.setEverywhere(token, mark, Math.max(1, expires_at - now))
      const session = craft.tokenHash(token)
      known.forget(session)
      await hints.publish({ session })
    },
    async endGrants(grant_ids: readonly string[]): Promise<void> {
      if (grant_ids.length === 0) return
      await ended.mark(grant_ids)
      known.forgetGrants(grant_ids)
      await hints.publish({ grant_ids })
      await ended.store(grant_ids)
    },
    close: hints.close,
  }
}

export type Sessions = ReturnType<typeof createSessions>
