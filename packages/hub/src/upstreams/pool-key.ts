import { sha256, toCanonicalJson } from '../canonical-json.ts'
import {
  originOf,
  platformTenant,
  type RegisteredServer,
  type ResolvedServer,
} from '../servers/index.ts'
import type { UpstreamKey } from './contract.ts'

/** One text for one key, to be that of a map. */
export function toMapKey({ tenant_id, server_id, user_id }: UpstreamKey): string {
  return `${tenant_id}\n${server_id}\n${user_id ?? ''}`
}

/**
 * Whose connection a call of `user_id` goes through: the server's own user's, the caller's where
 * each has credentials of their own, else the one that all share (null).
 */
export function toUpstreamKey(server: RegisteredServer, user_id: string | null): UpstreamKey {
  const { tenant_id, server_id, config } = server
  // Users are told apart within their tenant only.
  const isOwn = config.credentials === 'user' && tenant_id !== platformTenant
  const ownUser = isOwn ? user_id : null
  return { tenant_id, server_id, user_id: server.user_id ?? ownUser }
}

export interface PoolKey {
  /**
   * The way out: equal only where server, user, credential and all that a server is reached by are
   * equal. Holds no secret.
   */
  route: string
  /** The name of a connection, the same in every process: the way out, and how it is watched. */
  pool: string
}

/**
 * A user's server that is changed has a new connection: sessions under way go on with the one that
 * is there, under the same name in every process.
 */
export function toPoolKey(
  server: RegisteredServer,
  user_id: string | null,
  { credential_key, config }: Extract<ResolvedServer, { status: 'ok' }>,
): PoolKey {
  const { tenant_id } = server
  const { transport, timeout, healthEvery } = config
  const way =
    config.transport === 'stdio'
      ? { command: config.command, args: config.args, cwd: config.cwd }
      : { url: config.url }
  const whose = [tenant_id, originOf(server.server_id), user_id, credential_key]
  const route = sha256(toCanonicalJson([...whose, transport, way]))
  const watched = [route, timeout, healthEvery]
  const edition = server.user_id === null ? [] : [server.revision]
  return { route, pool: sha256(toCanonicalJson([...watched, ...edition])) }
}
