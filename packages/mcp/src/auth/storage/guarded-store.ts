import { createExclusive } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema/base'
import { isMcpError, McpError } from '../../errors.ts'
import type { OAuthRecord, OAuthStore } from './oauth-store.ts'

/** The store, failing as this package fails: what it throws may hold what it was given. */
export function toGuardedStore(store: OAuthStore): Required<OAuthStore> {
  const lock = store.lock ?? createExclusive()
  return {
    get: (key) => attempt(() => store.get(key)),
    set: (key, value: OAuthRecord) => attempt(() => store.set(key, value)),
    delete: (key) => attempt(() => store.delete(key)),
    lock: (key, work) => attempt(() => lock(key, work)),
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isMcpError(error)) throw error
    throw new McpError({
      kind: 'unavailable',
      code: 'store_unavailable',
      message: 'mcp: the store of the sign-ins failed',
      retryable: true,
      cause: isAppError(error) ? error : undefined,
    })
  }
}
