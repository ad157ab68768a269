import type { Insertable, Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import type { Database } from './tables.ts'

/** Leaves a row with the same key as it is. */
export async function insertIfAbsent<Table extends 'hub_revisions' | 'settings'>(
  { db, kind }: { db: Kysely<Database>; kind: Engine['kind'] },
  table: Table,
  row: Insertable<Database[Table]>,
): Promise<void> {
  const insert = db.insertInto(table).values(row as never)
  await (kind === 'mysql' ? insert.ignore() : insert.onConflict((on) => on.doNothing())).execute()
}
