import type { ColumnKind, DataTable } from '@dataagent/schema'
import type { MysqlLink } from './connect.ts'

interface ColumnRow {
  table_name: string
  column_name: string
  column_type: string
  data_type: string
  is_nullable: string
  column_comment: string
  table_comment: string
  table_rows: number | string | null
  engine: string | null
}

/** Those of the connection's database. */
export async function describeMysql(
  link: MysqlLink,
  names: readonly string[] | undefined,
): Promise<DataTable[]> {
  const rows = (await link.ask(
    `SELECT c.table_name AS table_name, column_name AS column_name, column_type AS column_type,
       data_type AS data_type, is_nullable AS is_nullable, column_comment AS column_comment,
       table_comment AS table_comment, table_rows AS table_rows, engine AS engine
     FROM information_schema.columns c JOIN information_schema.tables t
       ON t.table_schema = c.table_schema AND t.table_name = c.table_name
     WHERE c.table_schema = DATABASE() ORDER BY c.table_name, ordinal_position`,
  )) as unknown as ColumnRow[]
  const only = names && new Set(names.map((name) => name.toLowerCase()))
  return Map.groupBy(rows, ({ table_name }) => table_name)
    .values()
    .filter(([first]) => only?.has(first!.table_name.toLowerCase()) ?? true)
    .map(toTable)
    .toArray()
}

function toTable(rows: readonly ColumnRow[]): DataTable {
  const { table_name, table_comment } = rows[0]!
  return {
    name: table_name,
    ...(!/^(?:|VIEW)$/.test(table_comment) && { description: table_comment }),
    row_count: toCount(rows[0]!),
    columns: rows.map((row) => ({
      ...{ name: row.column_name, type: row.column_type.slice(0, 120), kind: toKind(row) },
      nullable: row.is_nullable === 'YES',
      ...(row.column_comment !== '' && { description: row.column_comment }),
    })),
  }
}

/** Other engines only guess. */
function toCount({ engine, table_rows }: ColumnRow): number | null {
  return /^(?:MyISAM|Aria|MEMORY)$/i.test(engine ?? '') ? Number(table_rows ?? 0) : null
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  ...{ tinyint: 'integer', smallint: 'integer', mediumint: 'integer', int: 'integer' },
  ...{ bigint: 'integer', year: 'integer', bit: 'integer', decimal: 'decimal' },
  ...{ float: 'float', double: 'float', date: 'date', time: 'time', datetime: 'timestamp' },
  ...{ timestamp: 'timestamp', json: 'json', binary: 'bytes', varbinary: 'bytes' },
  ...{ blob: 'bytes', tinyblob: 'bytes', mediumblob: 'bytes', longblob: 'bytes' },
  ...{ char: 'text', varchar: 'text', text: 'text', tinytext: 'text', mediumtext: 'text' },
  ...{ longtext: 'text', enum: 'text', set: 'text', uuid: 'text', inet4: 'text', inet6: 'text' },
}

function toKind({ data_type }: ColumnRow): ColumnKind {
  return kinds[data_type.toLowerCase()] ?? 'other'
}
