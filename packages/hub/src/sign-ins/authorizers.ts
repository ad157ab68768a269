import type { Clock, Egress } from '@dataagent/guard'
import { createOAuthAuthorizer, isMcpError, type OAuthAuthorizer } from '@dataagent/mcp'
import { sha256 } from '../canonical-json.ts'
import type { Kv } from '../kv-port.ts'
import { originOf, type RegisteredServer } from '../servers/index.ts'
import type { Vault } from '../vault-port.ts'
import type { OAuthOptions, SignInRows } from './contract.ts'
import { createSealedStore } from './sealed-store.ts'

export interface AuthorizersOptions {
  oauth: OAuthOptions | undefined
  rows: SignInRows
  vault: Vault
  kv: Pick<Kv, 'acquireLease' | 'set'>
  owner: string
  clock: Clock
  egressFor(server: RegisteredServer): Egress
  onWarning(server: RegisteredServer, text: string): void
}

/** One for each server and user, in this process. */
export interface Authorizers {
  /** Whether people sign in at this server: over HTTP, and without a credential of its own. */
  isFor(server: RegisteredServer): boolean
  get(server: RegisteredServer, user_id: string | null): OAuthAuthorizer | undefined
  forget(server: { tenant_id: string; server_id: string }): void
}

/** The name in the KV under which it is known whose answer a browser brings. */
export function toStateName(state: string): string {
  return `hub:sign-in-state:${sha256(state)}`
}

export function createAuthorizers(options: AuthorizersOptions): Authorizers {
  const { oauth } = options
  const held = new Map<string, { url: string; authorizer: OAuthAuthorizer }>()
  const toKey = (server: { tenant_id: string; server_id: string }, user_id: string | null) =>
    JSON.stringify([server.tenant_id, server.server_id, user_id])

  return {
    isFor: ({ config }) => oauth !== undefined && isForPeople(config),
    get(server, user_id) {
      const { config } = server
      if (oauth === undefined || !isForPeople(config)) return undefined
      const key = toKey(server, user_id)
      const known = held.get(key)
      if (known?.url === config.url) return known.authorizer
      const authorizer = create(options, oauth, { server, user_id, url: config.url })
      if (authorizer) held.set(key, { url: config.url, authorizer })
      return authorizer
    },
    forget(server) {
      const start = toKey(server, null).slice(0, -'null]'.length)
      for (const key of held.keys()) if (key.startsWith(start)) held.delete(key)
    },
  }
}

type Config = RegisteredServer['config']
type Remote = Exclude<Config, { transport: 'stdio' }>

function isForPeople(config: Config): config is Remote {
  if (config.transport === 'stdio') return false
  return !Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization')
}

interface Place {
  server: RegisteredServer
  user_id: string | null
  url: string
}

/** Undefined for an address at which nobody may sign in: plain http to another machine. */
function create(
  options: AuthorizersOptions,
  { clientFor, ...standing }: OAuthOptions,
  { server, user_id, url }: Place,
): OAuthAuthorizer | undefined {
  const { clock, egressFor, onWarning } = options
  const { tenant_id } = server
  const server_id = originOf(server.server_id)
  const client = clientFor?.(server)
  try {
    const authorizer = createOAuthAuthorizer({
      ...standing,
      ...(client && { client }),
      serverUrl: url,
      egress: egressFor(server),
      store: createSealedStore({ ...options, tenant_id, server_id, user_id: user_id ?? '' }),
      onWarning: (text) => onWarning(server, text),
      clock,
    })
    return withKnownStates(authorizer, options, { tenant_id, server_id, user_id })
  } catch (error) {
    if (isMcpError(error) && error.kind === 'config') return undefined
    throw error
  }
}

/** Notes down whose each sign-in is, so that any process can take the browser's answer. */
function withKnownStates(
  authorizer: OAuthAuthorizer,
  { kv, clock }: AuthorizersOptions,
  whose: { tenant_id: string; server_id: string; user_id: string | null },
): OAuthAuthorizer {
  async function note({ state, expires_at }: { state: string; expires_at: number }) {
    const ttlMs = Math.max(1, Math.ceil(expires_at - clock.now()))
    await kv.set(toStateName(state), JSON.stringify(whose), { ttlMs })
  }
  return {
    ...authorizer,
    async signIn(given) {
      const pending = await authorizer.signIn(given)
      await note(pending)
      return pending
    },
    async challenged(challenge, given) {
      try {
        await authorizer.challenged(challenge, given)
      } catch (error) {
        const pending = isMcpError(error) && error.kind === 'sign_in' ? error.data : undefined
        // Without a KV the person begins the sign-in again.
        if (isPending(pending)) await note(pending).catch(() => undefined)
        throw error
      }
    },
  }
}

function isPending(data: unknown): data is { state: string; expires_at: number } {
  const { state, expires_at } = (data ?? {}) as Record<string, unknown>
  return typeof state === 'string' && typeof expires_at === 'number'
}
