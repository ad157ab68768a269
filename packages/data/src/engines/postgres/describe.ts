import type { DataTable } from '@dataagent/schema'
import type { PostgresLink } from './connect.ts'
import { toKind } from './values.ts'

type Row = [
  table: string,
  comment: string | null,
  column: string,
  type: string,
  base: string,
  required: string,
  about: string | null,
]

/** What the role may read, outside the system's own; by its bare name where that finds it. */
export async function describePostgres(
  link: PostgresLink,
  names: readonly string[] | undefined,
): Promise<DataTable[]> {
  const answer = await link.ask(`
    SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname
             ELSE n.nspname || '.' || c.relname END,
      pg_catalog.left(pg_catalog.obj_description(c.oid, 'pg_class'), 4000), a.attname,
      pg_catalog.format_type(a.atttypid, a.atttypmod),
      CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END,
      a.attnotnull, pg_catalog.left(pg_catalog.col_description(c.oid, a.attnum), 4000)
    FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
      AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
      AND a.attnum > 0 AND NOT a.attisdropped
      AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
      AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
    ORDER BY n.nspname, c.relname, a.attnum`)
  const only = names && new Set(names.map((name) => name.toLowerCase()))
  return Map.groupBy(answer.rows as unknown as Row[], ([table]) => table)
    .values()
    .filter(([first]) => only?.has(first![0].toLowerCase()) ?? true)
    .map(toTable)
    .toArray()
}

function toTable(rows: readonly Row[]): DataTable {
  const [name, comment] = rows[0]!
  return {
    name,
    ...(comment !== null && { description: comment }),
    row_count: null,
    columns: rows.map(([, , column, type, base, required, about]) => ({
      ...{ name: column, type, kind: toKind(Number(base)), nullable: required === 'f' },
      ...(about !== null && { description: about }),
    })),
  }
}
