import { platformTenant, type RegisteredServer, toServerInfo, toUpstreamKey } from '@dataagent/hub'
import { AppError, isAppError, type ServerHealthHistory, type ServerInfo } from '@dataagent/schema'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { isSample } from '../samples/index.ts'

/** A server that the caller may know of. Throws `not_found`. */
export function findServer(
  { hub }: Platform,
  principal: Principal,
  server_id: string,
): RegisteredServer {
  const near = [principal.tenant_id, platformTenant].map((tenant) =>
    hub.servers.get(tenant, server_id),
  )
  const server = near.find((one) => one && isVisible(principal, one))
  if (server) return server
  throw new AppError('not_found', `there is no server "${server_id}"`)
}

function isVisible({ user_id }: Principal, server: RegisteredServer): boolean {
  return server.user_id === null || server.user_id === user_id
}

/** Whether the caller is the one whose business the server is. */
export function isManager(principal: Principal, { tenant_id, user_id }: RegisteredServer): boolean {
  if (user_id !== null) return user_id === principal.user_id
  return mayAccess(principal, tenant_id === platformTenant ? 'platform_admin' : 'admin')
}

/** A server as the caller sees it, with how their connection to it fares. */
export function toInfo(
  { hub }: Platform,
  principal: Principal,
  server: RegisteredServer,
): ServerInfo {
  const { tenant_id, server_id } = server
  const key = toUpstreamKey(server, principal.user_id)
  const health = hub.upstreams
    .health(tenant_id, server_id)
    .find(({ user_id }) => user_id === key.user_id)
  const tools = hub.catalogue.ofServer(tenant_id, server_id)
  const tool_count = tools.filter(({ offer }) => offer.status === 'offered').length
  const info = toServerInfo(server, { status: 'stopped', ...health, tool_count })
  return isSample(server) ? { ...info, sample: true } : info
}

/** How the connections fare that are the caller's to know of. */
export function toStatuses({ hub }: Platform, principal: Principal, server: RegisteredServer) {
  const { tenant_id, server_id } = server
  const isTheirs = isManager(principal, server)
  const isOwn = (user_id: string | null) => user_id === principal.user_id
  const statuses = hub.upstreams
    .health(tenant_id, server_id)
    .filter(({ user_id }) => isTheirs || user_id === null || isOwn(user_id))
    .map(({ authorization_url, ...health }) =>
      authorization_url !== undefined && (isTheirs || isOwn(health.user_id))
        ? { ...health, authorization_url }
        : health,
    )
  return { statuses }
}

/** How those connections have fared lately. */
export async function toHistory(
  { hub }: Platform,
  principal: Principal,
  server: RegisteredServer,
): Promise<ServerHealthHistory> {
  const isTheirs = isManager(principal, server)
  const changes = await hub.healthHistory.list(server)
  return {
    changes: changes.filter(
      ({ user_id }) => isTheirs || user_id === null || user_id === principal.user_id,
    ),
  }
}

const limitNames: Record<string, string> = {
  perOwner: 'mcp_servers_per_user',
  perTenant: 'max_mcp_servers',
}

/** Names the limit as those who set it know it. */
export async function namingLimits<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isAppError(error, 'quota_exceeded')) throw error
    const limit = limitNames[String(error.data?.limit)] ?? 'max_mcp_servers'
    const data = { ...error.data, limit }
    throw new AppError('quota_exceeded', `${error.message} (${limit})`, { data, cause: error })
  }
}
