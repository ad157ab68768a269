import type { Transaction } from 'kysely'
import { held } from '../held.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { DataRowsOptions } from './tables.ts'

/** Runs `work` in a transaction, one after another: who comes second counts what the first made. */
export function inTurn<T>(
  { db, engine }: DataRowsOptions,
  work: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (transaction) => {
    const lock = transaction.selectFrom('settings').select('name').where('name', '=', 'data.lock')
    await held(engine.kind, lock).execute()
    return work(transaction)
  })
}
