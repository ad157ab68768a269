import type { Topic } from '@dataagent/hub'
import { sql, type Transaction } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'

/**
 * The next revision, given to a tenant's topic. The one row that counts for all stays locked until
 * the transaction ends: revisions rise in the order of commits, and none is seen before a lower
 * one. To be taken before other rows are touched, so that all who write take their locks in one
 * order.
 */
export async function takeRevision(
  transaction: Transaction<Database>,
  kind: Engine['kind'],
  { tenant_id, topic }: { tenant_id: string; topic: Topic },
): Promise<number> {
  const revision = await raiseAll(transaction, kind)
  const { numUpdatedRows } = await transaction
    .updateTable('hub_revisions')
    .set({ revision })
    .where('tenant_id', '=', tenant_id)
    .where('topic', '=', topic)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await insertIfAbsent(transaction, kind, { tenant_id, topic, revision })
  return revision
}

async function raiseAll(transaction: Transaction<Database>, kind: Engine['kind']) {
  const raise = () =>
    transaction
      .updateTable('hub_revisions')
      .set({ revision: sql`revision + 1` })
      .where('tenant_id', '=', '')
      .where('topic', '=', '')
      .executeTakeFirst()
  if ((await raise()).numUpdatedRows === 0n) {
    await insertIfAbsent(transaction, kind, { tenant_id: '', topic: '', revision: 0 })
    await raise()
  }
  const { revision } = await transaction
    .selectFrom('hub_revisions')
    .select('revision')
    .where('tenant_id', '=', '')
    .where('topic', '=', '')
    .executeTakeFirstOrThrow()
  return revision
}

async function insertIfAbsent(
  transaction: Transaction<Database>,
  kind: Engine['kind'],
  row: Database['hub_revisions'],
) {
  const insert = transaction.insertInto('hub_revisions').values(row)
  await (kind === 'mysql' ? insert.ignore() : insert.onConflict((on) => on.doNothing())).execute()
}
