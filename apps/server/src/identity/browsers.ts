import type { Clock } from '@dataagent/guard'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import type { BrowserSessionRow } from '../ports/index.ts'
import type { ConfiguredKeys } from './configured-keys.ts'
import { type CookieCarrier, createCookie } from './cookie.ts'
import type { KeyStores } from './ports.ts'
import type { Principal } from './principal.ts'
import { ignoringFailure, isEnabled, type Proof, roleOfAll } from './proof.ts'
import { type StoredKeys, touchEveryMs } from './stored-keys.ts'

/** Expired rows that are deleted at each sign-in. */
const sweptAtOnce = 100

export interface BrowsersOptions {
  config: Pick<Config, 'public_url' | 'sign_in_lifetime' | 'sign_in_idle'>
  clock: Clock
  stores(): KeyStores
  configured: ConfiguredKeys
  stored: StoredKeys
}

/** Browsers that are signed in: each holds a token in a cookie. */
export interface Browsers {
  tokenOf(request: CookieCarrier): string | undefined
  /** Undefined once it has expired or lain idle, or its user or key may do nothing any more. */
  find(token: string): Promise<Proof | undefined>
  /** Signs the browser in, and out of what it was signed in to. */
  signIn(principal: Principal, request: FastifyRequest, reply: FastifyReply): Promise<void>
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function createBrowsers(options: BrowsersOptions): Browsers {
  const { config, clock, stores, configured, stored } = options
  const lifetimeSeconds = config.sign_in_lifetime
  const cookie = createCookie({ name: 'dataagent', sameSite: 'strict', lifetimeSeconds, config })

  async function findRow(token: string): Promise<BrowserSessionRow | undefined> {
    const { tables, craft } = stores()
    for (const token_mac of craft.tokenHashes(token)) {
      const row = await tables.browserSessions.find(token_mac)
      if (row) return row
    }
    return undefined
  }

  function isFresh({ expires_at, last_used_at }: BrowserSessionRow): boolean {
    const now = clock.now()
    return expires_at > now && now - last_used_at < config.sign_in_idle * 1000
  }

  /** What the key is worth now; of one who came by an identity provider, what the user is. */
  async function roleOf({ tenant_id, user_id, key_id, role }: BrowserSessionRow) {
    if (key_id === null) {
      const user = await stores().tables.users.get(tenant_id, user_id)
      return isEnabled(user) ? roleOfAll([role, user.role]) : undefined
    }
    const proof = (await configured.findById(key_id)) ?? (await stored.findById(tenant_id, key_id))
    return proof && roleOfAll([role, proof.principal.role])
  }

  async function forgetToken(token: string): Promise<void> {
    const { tables, craft } = stores()
    for (const token_mac of craft.tokenHashes(token)) await tables.browserSessions.delete(token_mac)
  }

  return {
    tokenOf: cookie.read,

    async find(token) {
      const row = await findRow(token)
      if (!row || !isFresh(row)) return undefined
      const role = await roleOf(row)
      if (!role) return undefined
      if (clock.now() - row.last_used_at >= touchEveryMs)
        await ignoringFailure(stores().tables.browserSessions.touch(row.token_mac, clock.now()))
      const { tenant_id, user_id, key_id } = row
      const api_key = key_id === null ? {} : { api_key: key_id }
      return { principal: { tenant_id, user_id, role, ...api_key }, act_as: false }
    },

    async signIn({ tenant_id, user_id, role, api_key }, request, reply) {
      const { tables, craft } = stores()
      const old = cookie.read(request)
      if (old !== undefined) await forgetToken(old)
      const now = clock.now()
      await ignoringFailure(tables.browserSessions.deleteExpired(now, sweptAtOnce))
      const token = craft.createToken()
      await tables.browserSessions.create({
        ...{ token_mac: craft.tokenHash(token), tenant_id, user_id, role, key_id: api_key ?? null },
        ...{ created_at: now, last_used_at: now, expires_at: now + lifetimeSeconds * 1000 },
      })
      cookie.set(request, reply, token)
    },

    async signOut(request, reply) {
      const token = cookie.read(request)
      if (token === undefined) return
      await forgetToken(token)
      cookie.clear(request, reply)
    },
  }
}
