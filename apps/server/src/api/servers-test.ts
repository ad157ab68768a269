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

const testsAtOnce = 3

/** Lets one person have so many tests under way in this process. Throws `rate_limited`. */
export function createTestTurns() {
  const underway = new Map<string, number>()

  return async <T>({ tenant_id, user_id }: Principal, work: () => Promise<T>): Promise<T> => {
    const key = `${tenant_id}/${user_id}`
    const running = underway.get(key) ?? 0
    if (running >= testsAtOnce) {
      const message = `at most ${testsAtOnce} servers are tested at once: wait for one to end`
      const data = { limit: 'tests at once', max: testsAtOnce, retryAfterMs: 1_000 }
      throw new AppError('rate_limited', message, { data })
    }
    underway.set(key, running + 1)
    try {
      return await work()
    } finally {
      const left = (underway.get(key) ?? 1) - 1
      if (left > 0) underway.set(key, left)
      else underway.delete(key)
    }
  }
}
