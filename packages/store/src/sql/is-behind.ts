import { sql } from 'kysely'

/** Whether a row comes after `last` in the order of these columns. */
export function isBehind<Row>(key: readonly (keyof Row & string)[], last: Row) {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  return sql<boolean>`(${columns}) > (${sql.join(key.map((column) => last[column]))})`
}
