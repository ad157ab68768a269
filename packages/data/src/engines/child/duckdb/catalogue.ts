import type { DescribedColumn } from '@dataagent/schema'
import type { DuckDBConnection } from '@duckdb/node-api'
import { toKind } from './columns.ts'
import { quoteText } from './quote.ts'

type Row = [table: string, name: string, type: string, nullable: boolean, comment: string | null]

const fullName = `CASE schema_name WHEN 'main' THEN table_name ELSE schema_name || '.' || table_name END`

/** The columns of tables and views that are in the catalogue, by `schema.table`. */
export async function describeCatalogue(connection: DuckDBConnection, names?: readonly string[]) {
  const only =
    names && ` AND lower(${fullName}) IN (${names.map(toLowerText).join(', ') || 'NULL'})`
  const reader = await connection.runAndReadAll(
    `SELECT ${fullName}, column_name, data_type, is_nullable, comment
     FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()${only ?? ''}
     ORDER BY schema_name, table_name, column_index`,
  )
  const rows = reader.getRowsJson() as Row[]
  return Map.groupBy(rows, ([table]) => table)
    .entries()
    .map(([name, found]) => ({ name, columns: found.map(toColumn) }))
    .toArray()
}

function toColumn([, name, type, nullable, comment]: Row): DescribedColumn {
  return {
    ...{ name, type: type.slice(0, 120), kind: toKind(type), nullable },
    ...(comment !== null && { description: comment }),
  }
}

function toLowerText(name: string): string {
  return quoteText(name.toLowerCase())
}
