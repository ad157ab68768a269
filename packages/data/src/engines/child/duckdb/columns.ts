import type { ColumnKind, DataColumn } from '@dataagent/schema'
import { type DuckDBResult, DuckDBTypeId } from '@duckdb/node-api'

const longestType = 120

export function toColumns(result: DuckDBResult): DataColumn[] {
  return result.columnNames().map((name, at) => {
    const type = result.columnType(at)
    const alias = type.alias?.toUpperCase()
    const said = alias ?? (type.typeId === DuckDBTypeId.ENUM ? 'ENUM' : type.toString())
    return { name, type: cut(said), kind: alias === 'JSON' ? 'json' : kindOf(type.typeId) }
  })
}

/** Of what DuckDB calls a type: `DECIMAL(18,2)`. */
export function toKind(type: string): ColumnKind {
  const [word = ''] = /^[A-Z_]+/.exec(type.toUpperCase()) ?? []
  if (type.endsWith(']') || /^(?:STRUCT|MAP|UNION|JSON|LIST|ARRAY|VARIANT)/.test(word)) {
    return 'json'
  }
  const id = typeIds.get(type.toUpperCase()) ?? typeIds.get(word)
  return id === undefined ? 'other' : kindOf(id)
}

const ids = DuckDBTypeId
const kinds = new Map<DuckDBTypeId, ColumnKind>([
  ...[ids.TINYINT, ids.SMALLINT, ids.INTEGER, ids.BIGINT, ids.HUGEINT].map(integer),
  ...[ids.UTINYINT, ids.USMALLINT, ids.UINTEGER, ids.UBIGINT, ids.UHUGEINT].map(integer),
  [ids.BIGNUM, 'integer'],
  [ids.DECIMAL, 'decimal'],
  [ids.FLOAT, 'float'],
  [ids.DOUBLE, 'float'],
  [ids.BOOLEAN, 'boolean'],
  [ids.VARCHAR, 'text'],
  [ids.ENUM, 'text'],
  [ids.UUID, 'text'],
  [ids.DATE, 'date'],
  [ids.TIMESTAMP, 'timestamp'],
  [ids.TIMESTAMP_S, 'timestamp'],
  [ids.TIMESTAMP_MS, 'timestamp'],
  [ids.TIMESTAMP_NS, 'timestamp'],
  [ids.TIMESTAMP_TZ, 'timestamp'],
  [ids.TIME, 'time'],
  [ids.TIME_TZ, 'time'],
  [ids.TIME_NS, 'time'],
  [ids.BLOB, 'bytes'],
  ...[ids.LIST, ids.ARRAY, ids.STRUCT, ids.MAP, ids.UNION, ids.VARIANT].map(nested),
])

const typeIds = new Map<string, DuckDBTypeId>([
  ...[...kinds.keys()].map((id): [string, DuckDBTypeId] => [DuckDBTypeId[id], id]),
  ['TIMESTAMP WITH TIME ZONE', ids.TIMESTAMP_TZ],
  ['TIME WITH TIME ZONE', ids.TIME_TZ],
])

function integer(id: DuckDBTypeId): [DuckDBTypeId, ColumnKind] {
  return [id, 'integer']
}

function nested(id: DuckDBTypeId): [DuckDBTypeId, ColumnKind] {
  return [id, 'json']
}

function kindOf(id: DuckDBTypeId): ColumnKind {
  return kinds.get(id) ?? 'other'
}

function cut(type: string): string {
  return type.length > longestType ? `${type.slice(0, longestType)}…` : type
}
