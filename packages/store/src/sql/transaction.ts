import type { Kysely, Transaction } from 'kysely'
import { isDeadlock } from './store-error.ts'
import type { Database } from './tables.ts'

const maxAttempts = 6

/**
 * Runs `work` in a transaction, again where the database ended it to resolve a deadlock. `work`
 * must have no other effect.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || attempt === maxAttempts) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
    }
  }
}
