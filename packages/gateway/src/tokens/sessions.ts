import type { Clock } from '@dataagent/guard'
import type { TokenCraft } from '../ports.ts'
import { prefixes, type TokenSession } from './contract.ts'
import { createEndHints, type Ended, type EndHintsOptions } from './end-hints.ts'
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
  const handlers = new Set<(grant_ids: readonly string[] | undefined) => void>()
  const hints = createEndHints({
    ...{ kv, clock, onError, onEnded: forget },
    onGap() {
      known.forgetAll()
      tell(undefined)
    },
  })

  function tell(grant_ids: readonly string[] | undefined): void {
    for (const handler of handlers) handler(grant_ids)
  }

  function forget({ session, grant_ids }: Ended): void {
    if (session !== undefined) known.forget(session)
    if (grant_ids !== undefined) known.forgetGrants(grant_ids)
    tell(grant_ids)
  }

  /** Here at once, also where the others cannot be told. */
  async function tellAll(ended: Ended): Promise<void> {
    forget(ended)
    await hints.publish(ended)
  }

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
    async end(token: string, { expires_at, grant_id }: TokenSession): Promise<void> {
      const now = clock.now()
      const mark = { ended_at: now, expires_at }
      await stored.setEverywhere(token, mark, Math.max(1, expires_at - now))
      const grant_ids = grant_id === null ? undefined : [grant_id]
      await tellAll({ session: craft.tokenHash(token), ...(grant_ids && { grant_ids }) })
    },
    async endGrants(grant_ids: readonly string[]): Promise<void> {
      if (grant_ids.length === 0) return
      await ended.mark(grant_ids)
      await tellAll({ grant_ids })
      await ended.store(grant_ids)
    },
    onEnded(handler: (grant_ids: readonly string[] | undefined) => void): () => void {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    close: hints.close,
  }
}

export type Sessions = ReturnType<typeof createSessions>
