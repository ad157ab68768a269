import { AppError } from '@dataagent/schema'
import type { SelectQueryBuilder } from 'kysely'
import { countRows } from './count-rows.ts'
import type { Database } from './tables.ts'

export interface Room {
  /** No limit where it is not given. */
  max: number | undefined
  /** Its name, for the one who reads the error. */
  limit: string
  /** Who has how many of what, `the tenant may have` and `agents`. */
  who: string
  what: string
}

/**
 * Throws `quota_exceeded` where the query, which selects no columns, finds `max` rows already. In
 * the transaction that adds one, and holds the others up: else several see the last place.
 */
export async function assertRoom<Table extends keyof Database>(
  query: SelectQueryBuilder<Database, Table, object>,
  { max, limit, who, what }: Room,
): Promise<void> {
  if (max === undefined || (await countRows(query)) < max) return
  const message = `${who} at most ${max} ${what}: remove one first`
  throw new AppError('quota_exceeded', message, { data: { limit, max } })
}
