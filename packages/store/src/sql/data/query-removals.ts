import type { QueryKey, QueryRow, QueryRows } from '@dataagent/schema'
import type { Transaction } from 'kysely'
import { held } from '../held.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { DataRowsOptions } from './tables.ts'

const keyColumns = ['tenant_id', 'query_id'] as const

/** Deletes queries, and remembers which until what they have kept elsewhere is gone too. */
export function createQueryRemovals({
  db,
  engine: { kind },
}: DataRowsOptions): Pick<
  QueryRows,
  'deleteScopes' | 'deleteBefore' | 'listDeleted' | 'forgetDeleted'
> {
  return {
    async deleteScopes(scope_ids) {
      if (scope_ids.length === 0) return
      const found = db.selectFrom('data_scopes').select(['tenant_id', 'scope_id'])
      for (const scope of await found.where('scope_id', 'in', scope_ids).execute()) {
        await inTransaction(db, async (transaction) => {
          const own = transaction.selectFrom('data_scopes').where(({ and }) => and(scope))
          // Whoever adds to it takes this row first, too. Without it another has deleted the scope,
          // and what is added from then on may come at any moment.
          const row = await held(kind, own.select('last_number')).executeTakeFirst()
          if (row !== undefined) await deleteScope(transaction, scope)
        })
      }
    },

    deleteBefore: (time, limit) =>
      inTransaction(db, async (transaction) => {
        const old = transaction.selectFrom('data_queries').select(keyColumns)
        const oldest = old.where('as_of', '<', time).orderBy('as_of').limit(limit)
        const keys = await held(kind, oldest).execute()
        if (keys.length === 0) return 0
        await transaction.insertInto('data_deleted_queries').values(keys).execute()
        await deleteFrom(transaction, 'data_queries', keys)
        return keys.length
      }),

    listDeleted: (limit) =>
      db
        .selectFrom('data_deleted_queries')
        .select(keyColumns)
        .orderBy('tenant_id')
        .orderBy('query_id')
        .limit(limit)
        .execute(),

    forgetDeleted: (keys) =>
      inTransaction(db, (transaction) => deleteFrom(transaction, 'data_deleted_queries', keys)),
  }
}

async function deleteScope(
  transaction: Transaction<Database>,
  scope: Pick<QueryRow, 'tenant_id' | 'scope_id'>,
): Promise<void> {
  await transaction
    .insertInto('data_deleted_queries')
    .columns(keyColumns)
    .expression(({ selectFrom }) =>
      selectFrom('data_queries')
        .select(keyColumns)
        .where(({ and }) => and(scope)),
    )
    .execute()
  for (const table of ['data_queries', 'data_scopes'] as const) {
    await transaction
      .deleteFrom(table)
      .where(({ and }) => and(scope))
      .execute()
  }
}

async function deleteFrom(
  transaction: Transaction<Database>,
  table: 'data_queries' | 'data_deleted_queries',
  keys: readonly QueryKey[],
): Promise<void> {
  for (const [tenant_id, own] of Map.groupBy(keys, (key) => key.tenant_id)) {
    const query_ids = own.map(({ query_id }) => query_id)
    const rows = transaction.deleteFrom(table).where('tenant_id', '=', tenant_id)
    await rows.where('query_id', 'in', query_ids).execute()
  }
}
