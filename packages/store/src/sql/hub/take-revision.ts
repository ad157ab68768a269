import type { Topic } from '@dataagent/hub'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Engine } from '../engine.ts'
import { insertIfAbsent } from '../insert-if-absent.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'

/** Runs `work` in a transaction that has taken the next revision of a tenant's topic. */
export function inRevision<T>(
  { db, engine }: { db: Kysely<Database>; engine: Engine },
  topic: { tenant_id: string; topic: Topic },
  work: (transaction: Transaction<Database>, revision: number) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (transaction) =>
    work(transaction, await takeRevision(transaction, engine.kind, topic)),
  )
}

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
  if (numUpdatedRows === 0n) {
    const row = { tenant_id, topic, revision }
    await insertIfAbsent({ db: transaction, kind }, 'hub_revisions', row)
  }
  return revision
}

/**
 * Takes the lock that every change takes with its revision: what is committed with a lower one is
 * seen from here on, and no other comes before the transaction ends.
 */
export async function lockRevisions(
  transaction: Transaction<Database>,
  kind: Engine['kind'],
): Promise<void> {
  await addToAll(transaction, kind, 0)
}

async function addToAll(transaction: Transaction<Database>, kind: Engine['kind'], by: number) {
  const add = () =>
    transaction
      .updateTable('hub_revisions')
      .set({ revision: sql`revision + ${by}` })
      .where('tenant_id', '=', '')
      .where('topic', '=', '')
      .executeTakeFirst()
  if ((await add()).numUpdatedRows > 0n) return
  const row = { tenant_id: '', topic: '', revision: 0 }
  await insertIfAbsent({ db: transaction, kind }, 'hub_revisions', row)
  await add()
}

async function raiseAll(transaction: Transaction<Database>, kind: Engine['kind']) {
  await addToAll(transaction, kind, 1)
  const { revision } = await transaction
    .selectFrom('hub_revisions')
    .select('revision')
    .where('tenant_id', '=', '')
    .where('topic', '=', '')
    .executeTakeFirstOrThrow()
  return revision
}
