import { createExclusive, type Exclusive } from '@dataagent/guard'

/** What is kept: plain JSON. To be treated as secret as a whole, and to be given back unchanged. */
export type OAuthRecord = Record<string, unknown>

/**
 * Where an authorizer keeps registrations, tokens and sign-ins under way. The port of the host, one
 * for each user of each tenant: keys name servers and issuers, but nobody's identity.
 *
 * - Keys are text of at most a few hundred characters, without secrets; values are secrets.
 * - Each method may reject. The operation then fails with a retryable McpError that does not repeat
 *   the reason; new tokens that could not be stored are kept in memory and stored later.
 * - An authorizer keeps its tokens in memory. What another process has stored is seen when they
 *   expire or are refused, and at once while there are none.
 */
export interface OAuthStore {
  get(key: string): Promise<OAuthRecord | undefined>
  set(key: string, value: OAuthRecord): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Runs `work` while nobody else does under the same key, and passes on how it ends. Where several
   * processes share a store this makes them refresh once; without it, each refreshes for itself,
   * and with refresh tokens that can be used once all but the first lose their sign-in. `work` ends
   * by itself within a minute.
   */
  lock?: Exclusive
}

/** An OAuthStore for one process and one user: all is gone when the process ends. */
export function createMemoryOAuthStore(): OAuthStore {
  const records = new Map<string, OAuthRecord>()
  return {
    get: async (key) => structuredClone(records.get(key)),
    set: async (key, value) => void records.set(key, structuredClone(value)),
    delete: async (key) => void records.delete(key),
    lock: createExclusive(),
  }
}
