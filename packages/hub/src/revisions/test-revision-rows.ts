import { AppError } from '@dataagent/schema'
import type { RevisionRow, RevisionRows, Topic } from './contract.ts'

/** Revision rows in memory, which can be away and can go back in time. */
export function createTestRevisionRows() {
  let rows: RevisionRow[] = []
  let count = 0
  const state = { isAway: false, asked: 0 }

  return {
    state,
    changedSince: async (after: number) => {
      state.asked += 1
      if (state.isAway) throw new AppError('store_unavailable', 'the database is away')
      return rows.filter(({ revision }) => revision > after)
    },
    bump: async (tenant_id: string, topic: Topic) => {
      count += 1
      rows = rows.filter((row) => row.tenant_id !== tenant_id || row.topic !== topic)
      rows.push({ tenant_id, topic, revision: count })
      return count
    },
    goBackTo(revision: number) {
      rows = rows.filter((row) => row.revision <= revision)
      count = revision
    },
  } satisfies RevisionRows & Record<string, unknown>
}
