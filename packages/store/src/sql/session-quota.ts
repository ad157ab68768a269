import type { Transaction } from 'kysely'
import type { Engine } from './engine.ts'
import { held } from './held.ts'
import type { Database } from './tables.ts'

/**
 * Makes those who create sessions for one user wait for each other until the transaction ends: by
 * the user's row, or, for one who has none, by a row that is the same for all of those.
 */
export async function holdSessionsOf(
  transaction: Transaction<Database>,
  kind: Engine['kind'],
  { tenant_id, user_id }: { tenant_id: string; user_id: string },
): Promise<void> {
  const users = transaction.selectFrom('users').select('user_id')
  const own = users.where(({ and }) => and({ tenant_id, user_id }))
  if (await held(kind, own).executeTakeFirst()) return
  const all = transaction.selectFrom('settings').select('name').where('name', '=', 'sessions.lock')
  await held(kind, all).execute()
}
