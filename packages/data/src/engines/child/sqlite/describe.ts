import type { DatabaseSync } from 'node:sqlite'
import type { DataTable } from '@dataagent/schema'
import { toKind } from './values.ts'

interface ColumnRow {
  name: string
  type: string
  notnull: number
}

export function describeSqlite(
  database: DatabaseSync,
  names: readonly string[] | undefined,
): DataTable[] {
  const only = names && new Set(names.map((name) => name.toLowerCase()))
  const tables = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')
       AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all() as unknown as { name: string }[]
  const columnsOf = database.prepare('SELECT name, type, "notnull" FROM pragma_table_info(?)')
  return tables
    .filter(({ name }) => only?.has(name.toLowerCase()) ?? true)
    .map(({ name }) => ({
      ...{ name, row_count: null },
      columns: (columnsOf.all(name) as unknown as ColumnRow[]).map((column) => ({
        ...{ name: column.name, type: column.type, kind: toKind(column.type) },
        nullable: column.notnull === 0,
      })),
    }))
}
