import { randomUUID } from 'node:crypto'
import { platformTenant, type RegisteredServer, type ServerScope } from '@dataagent/hub'
import { AppError, type ServerConfig } from '@dataagent/schema'
import { mayAccess, type Principal } from '../identity/index.ts'

/** For whom a server is tested where nobody says: as the caller would add it. */
export function usualScope(principal: Principal): ServerScope {
  return mayAccess(principal, 'admin') ? 'tenant' : 'user'
}

/** A server as it would be registered. Throws `forbidden` for a scope that is not the caller's. */
export function toTestServer(
  principal: Principal,
  scope: ServerScope,
  config: ServerConfig,
): RegisteredServer {
  const access = scope === 'user' ? 'user' : scope === 'tenant' ? 'admin' : 'platform_admin'
  if (!mayAccess(principal, access))
    throw new AppError('forbidden', `Your role does not test servers of scope ${scope}: use user.`)
  return {
    tenant_id: scope === 'platform' ? platformTenant : principal.tenant_id,
    user_id: scope === 'user' ? principal.user_id : null,
    server_id: `test-${randomUUID()}`,
    config,
    ...{ revision: 0, created_at: 0, updated_at: 0 },
  }
}
