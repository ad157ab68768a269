import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { GrantRows } from '../ports.ts'

export interface EndedGrantsOptions {
  kv: Pick<Kv, 'get' | 'set'>
  grants: Pick<GrantRows, 'revoke'>
  clock: Clock
  /** For how long a session may live that a grant has given. */
  sessionMs: number
}

/** Longer than the clocks of two nodes differ, and than a session is in the making. */
const slackMs = 60_000

/**
 * Grants that were ended of late, as a mark in the KV that every session of theirs meets. The mark
 * decides: one who is cut off before the database knows of it leaves that to the next refresh.
 */
export function createEndedGrants({ kv, grants, clock, sessionMs }: EndedGrantsOptions) {
  const keyOf = (grant_id: string) => `mcp:grant:ended:${grant_id}`

  return {
    has: async (grant_id: string): Promise<boolean> =>
      (await kv.get(keyOf(grant_id))) !== undefined,
    async mark(grant_ids: readonly string[]): Promise<void> {
      const text = String(clock.now())
      const ttlMs = sessionMs + slackMs
      await Promise.all(grant_ids.map((grant_id) => kv.set(keyOf(grant_id), text, { ttlMs })))
    },
    async store(grant_ids: readonly string[]): Promise<void> {
      for (const grant_id of grant_ids) await grants.revoke({ grant_id }, clock.now())
    },
  }
}

export type EndedGrants = ReturnType<typeof createEndedGrants>
