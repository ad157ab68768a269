import type { SelectQueryBuilder } from 'kysely'
import type { Database } from './tables.ts'

/** How many rows a query finds that selects no columns. */
export async function countRows<Table extends keyof Database>(
  query: SelectQueryBuilder<Database, Table, object>,
): Promise<number> {
  const row = await query.select(({ fn }) => fn.countAll().as('n')).executeTakeFirst()
  return Number(row?.n ?? 0)
}
