import type { DataRow, SourceKind } from '@dataagent/schema'
import type { Engine } from '../../engines/index.ts'
import { quoteText } from '../quote.ts'

/** A table or view of a source. */
export interface Relation {
  /** What may stand before its name and a dot. */
  qualifiers: readonly string[]
  /** How it is written so that nothing in a statement can take its name. */
  path: readonly string[]
  table: string
  /** Whether its bare name means it. */
  isVisible: boolean
  isView: boolean
  /** Names under which notes may speak of it. */
  names: readonly string[]
  columns: readonly string[]
}

export interface AskOptions {
  signal?: AbortSignal
  timeoutMs: number
}

type Find = (engine: Engine, names: readonly string[], options: AskOptions) => Promise<Relation[]>

/** The tables and views that have one of these names, in any case. */
export function findRelations(
  engine: Engine,
  names: readonly string[],
  options: AskOptions,
): Promise<Relation[]> {
  if (names.length === 0) return Promise.resolve([])
  return finders[engine.kind](engine, names, options)
}

const finders: Readonly<Record<SourceKind, Find>> = {
  async files(engine, names, { signal }) {
    const tables = await engine.describe({ tables: names, ...(signal && { signal }) })
    return tables.map(({ name, columns }) => ({
      ...{ qualifiers: ['main', 'memory'], path: ['main', name], table: name, names: [name] },
      ...{ isVisible: true, isView: false, columns: columns.map((column) => column.name) },
    }))
  },
  async duckdb(engine, names, options) {
    const rows = await ask(
      engine,
      `SELECT c.database_name, c.schema_name, c.table_name, c.column_name, t.table_name IS NULL
       FROM duckdb_columns() AS c LEFT JOIN duckdb_tables() AS t
         ON t.database_name = c.database_name AND t.schema_name = c.schema_name
           AND t.table_name = c.table_name
       WHERE NOT c.internal AND c.database_name = current_database()
         AND ${isNamed('c.table_name', names, 'duckdb')}
       ORDER BY c.column_index`,
      options,
    )
    return grouped(
      rows,
      ([, schema, table]) => `${schema}.${table}`,
      ([first, columns]) => {
        const [catalog, schema, table] = first.map(String) as [string, string, string]
        const isVisible = schema === 'main'
        return {
          ...{ qualifiers: [catalog, schema], path: [catalog, schema, table], table, isVisible },
          ...{ isView: first[4] === true, columns: columns.map((row) => String(row[3])) },
          names: isVisible ? [table, `main.${table}`] : [`${schema}.${table}`],
        }
      },
    )
  },
  async sqlite(engine, names, options) {
    const rows = await ask(
      engine,
      `SELECT m.name, m.type, p.name FROM sqlite_schema AS m, pragma_table_xinfo(m.name) AS p
       WHERE m.type IN ('table', 'view') AND p.hidden <> 1 AND ${isNamed('m.name', names, 'sqlite')}
       ORDER BY p.cid`,
      options,
    )
    return grouped(
      rows,
      ([table]) => String(table),
      ([first, columns]) => {
        const table = String(first[0])
        return {
          ...{ qualifiers: ['main'], path: ['main', table], table, names: [table] },
          ...{ isVisible: true, isView: first[1] === 'view' },
          columns: columns.map((row) => String(row[2])),
        }
      },
    )
  },
  async mysql(engine, names, options) {
    const rows = await ask(
      engine,
      `SELECT c.table_schema, c.table_name, t.table_type, c.column_name
       FROM information_schema.columns AS c JOIN information_schema.tables AS t
         ON t.table_schema = c.table_schema AND t.table_name = c.table_name
       WHERE c.table_schema = DATABASE() AND ${isNamed('c.table_name', names, 'mysql')}
       ORDER BY c.ordinal_position`,
      options,
    )
    return grouped(
      rows,
      ([, table]) => String(table),
      ([first, columns]) => {
        const [schema, table, type] = first.map(String) as [string, string, string]
        return {
          ...{ qualifiers: [schema], path: [schema, table], table, names: [table] },
          ...{ isVisible: true, isView: /VIEW/i.test(type) },
          columns: columns.map((row) => String(row[3])),
        }
      },
    )
  },
  async postgres(engine, names, options) {
    const rows = await ask(engine, toPostgresSql(names), options)
    return rows.map(([schema, table, isVisible, isView, columns, above]) => ({
      qualifiers: [String(schema)],
      path: [String(schema), String(table)],
      ...{ table: String(table), isVisible: isVisible === true, isView: isView === true },
      // Written by the query itself.
      names: (JSON.parse(String(above)) as [string, string, boolean][]).flatMap(
        ([of, name, visible]) => [`${of}.${name}`, ...(visible ? [name] : [])],
      ),
      columns: JSON.parse(String(columns ?? '[]')) as string[],
    }))
  },
}

/** A partition is asked for by a name of its own, and is hidden as what it is a part of. */
function toPostgresSql(names: readonly string[]): string {
  return `WITH RECURSIVE above AS (
      SELECT c.oid AS relation, c.oid AS parent FROM pg_catalog.pg_class c
      WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p')
        AND ${isNamed('c.relname::text', names, 'postgres')}
      UNION SELECT a.relation, i.inhparent FROM above a
        JOIN pg_catalog.pg_inherits i ON i.inhrelid = a.parent)
    SELECT n.nspname, c.relname, pg_catalog.pg_table_is_visible(c.oid), c.relkind IN ('v', 'm'),
      (SELECT json_agg(t.attname ORDER BY t.attnum) FROM pg_catalog.pg_attribute t
        WHERE t.attrelid = c.oid AND t.attnum > 0 AND NOT t.attisdropped
          AND pg_catalog.has_column_privilege(c.oid, t.attnum, 'SELECT'))::text,
      json_agg(json_build_array(pn.nspname, p.relname, pg_catalog.pg_table_is_visible(p.oid)))::text
    FROM above a JOIN pg_catalog.pg_class c ON c.oid = a.relation
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_class p ON p.oid = a.parent
      JOIN pg_catalog.pg_namespace pn ON pn.oid = p.relnamespace
    GROUP BY n.nspname, c.oid, c.relname, c.relkind`
}

/** Also as it is written: not every database folds letters as we do. */
function isNamed(column: string, names: readonly string[], kind: SourceKind): string {
  const all = new Set(names.flatMap((name) => [name, name.toLowerCase()]))
  const list = [...all].map((name) => quoteText(name, kind)).join(', ')
  return `(lower(${column}) IN (${list}) OR ${column} IN (${list}))`
}

async function ask(engine: Engine, sql: string, options: AskOptions): Promise<DataRow[]> {
  const { batches } = await engine.query(sql, options)
  return (await Array.fromAsync(batches)).flat() as DataRow[]
}

function grouped<T>(
  rows: readonly DataRow[],
  keyOf: (row: DataRow) => string,
  toOne: (group: [first: DataRow, all: readonly DataRow[]]) => T,
): T[] {
  return [...Map.groupBy(rows, keyOf).values()].map((all) => toOne([all[0]!, all]))
}
