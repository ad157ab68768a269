import { type Insertable, sql, type Transaction } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'
import type { CheckpointTables } from './tables.ts'

export interface Place {
  transaction: Transaction<Database>
  kind: Engine['kind']
}

export interface Upsert<Table extends keyof CheckpointTables> {
  rows: readonly Insertable<CheckpointTables[Table]>[]
  key: readonly (keyof CheckpointTables[Table] & string)[]
  /** The columns that a row of the same key gets anew; with a part of the key, it stays. */
  set: readonly (keyof CheckpointTables[Table] & string)[]
}

/** Inserts rows; those that are there are changed, and locked either way. */
export async function upsert<Table extends keyof CheckpointTables>(
  { transaction, kind }: Place,
  table: Table,
  { rows, key, set }: Upsert<Table>,
): Promise<void> {
  if (rows.length === 0) return
  const insert = transaction.insertInto(table).values(rows as never)
  const newer = (column: string) =>
    kind === 'mysql' ? sql`values(${sql.ref(column)})` : sql.ref(`excluded.${column}`)
  const change = Object.fromEntries(set.map((column) => [column, newer(column)])) as never
  await (kind === 'mysql'
    ? insert.onDuplicateKeyUpdate(change)
    : insert.onConflict((on) => on.columns(key as never).doUpdateSet(change))
  ).execute()
}
