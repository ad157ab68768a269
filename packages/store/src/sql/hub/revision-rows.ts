import type { RevisionRow, RevisionRows } from '@dataagent/hub'
import { inTransaction } from '../transaction.ts'
import type { HubRowsOptions } from './hub-store.ts'
import { takeRevision } from './take-revision.ts'

export function createRevisionRows({ db, engine }: HubRowsOptions): RevisionRows {
  return {
    async changedSince(after) {
      const rows = await db
        .selectFrom('hub_revisions')
        .selectAll()
        .where('revision', '>', after)
        .where('topic', '<>', '')
        .orderBy('revision')
        .execute()
      return rows as RevisionRow[]
    },

    bump: (tenant_id, topic) =>
      inTransaction(db, (transaction) =>
        takeRevision(transaction, engine.kind, { tenant_id, topic }),
      ),
  }
}
