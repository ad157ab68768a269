import type { CatalogueEntry } from '../catalogue/index.ts'
import { ownServerId } from '../define-tool/index.ts'
import type { Principal } from '../principal.ts'
import { originOf, platformTenant, type RegisteredServer, type Servers } from '../servers/index.ts'
import { areSame } from './are-same.ts'

/** The servers that one caller can see, by what their ids mean to it. */
export interface VisibleServers {
  list: readonly RegisteredServer[]
  byId: ReadonlyMap<string, RegisteredServer>
  /** The ids of editions that the caller's session has in place of servers, by the servers' ids. */
  editions: ReadonlyMap<string, string>
}

/** Those of `before`, as long as they are the same. */
export function visibleServers(
  servers: Pick<Servers, 'visibleTo'>,
  { principal, at }: { principal: Principal; at: number | undefined },
  before: VisibleServers | undefined,
): VisibleServers {
  const list = servers.visibleTo(principal, at)
  if (before && areSame(before.list, list)) return before
  return { list, byId: toById(list), editions: toEditions(list) }
}

function toEditions(list: readonly RegisteredServer[]): Map<string, string> {
  const ids = list.map(({ server_id }) => [originOf(server_id), server_id] as const)
  return new Map(ids.filter(([origin, server_id]) => origin !== server_id))
}

/**
 * Of servers with one id, one that the tenant shares stands before the platform's, and a user's own
 * behind it: nobody takes over an id that others are bound to.
 */
function toById(list: readonly RegisteredServer[]): Map<string, RegisteredServer> {
  const byId = new Map<string, RegisteredServer>()
  for (const server of list) {
    const other = byId.get(server.server_id)
    if (other === undefined || rank(server) < rank(other)) byId.set(server.server_id, server)
  }
  return byId
}

function rank({ tenant_id, user_id }: RegisteredServer): number {
  if (user_id !== null) return 2
  return tenant_id === platformTenant ? 1 : 0
}

/**
 * Whether the tool's server is the caller's own, shared by its tenant or by the platform. `server`
 * is what the tool's server id means to the caller.
 */
export function isVisible(
  { tool }: CatalogueEntry,
  server: RegisteredServer | undefined,
  { tenant_id, user_id }: Principal,
): boolean {
  if (server === undefined || server.tenant_id !== tool.tenant_id) return false
  if (server.tenant_id !== tenant_id && server.tenant_id !== platformTenant) return false
  return server.user_id === null || server.user_id === user_id
}

export function isOwnTool({ tool, own }: CatalogueEntry): boolean {
  const { tenant_id, server_id } = tool
  return own !== undefined && server_id === ownServerId && tenant_id === platformTenant
}
