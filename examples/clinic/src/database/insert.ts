import type { DatabaseSync, StatementSync } from 'node:sqlite'

export type Insert = (table: string, row: Record<string, string | number | null>) => void

/** Adds rows. Names of tables and columns must be our own. */
export function createInsert(clinic: DatabaseSync): Insert {
  const prepared = new Map<string, StatementSync>()

  function prepare(sql: string): StatementSync {
    const statement = prepared.get(sql) ?? clinic.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  return (table, row) => {
    const names = Object.keys(row)
    const marks = names.map(() => '?').join(', ')
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`
    prepare(sql).run(...Object.values(row))
  }
}
