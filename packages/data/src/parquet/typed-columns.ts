import type { DataColumn } from '@dataagent/schema'
import type { DuckDBConnection } from '@duckdb/node-api'

/** A type that a column of texts may have, `$c` being the column. */
interface Candidate {
  /** Whether all values are kept as they are. */
  fits: string
  value: string
}

const candidates: Readonly<Partial<Record<DataColumn['kind'], readonly Candidate[]>>> = {
  integer: [whole('BIGINT'), whole('UBIGINT'), whole('DECIMAL(38,0)')],
  float: [cast('DOUBLE')],
  boolean: [cast('BOOLEAN')],
  date: [cast('DATE')],
  time: [cast('TIME')],
  timestamp: [
    {
      fits: `$c LIKE '%Z' AND ${isShort()} AND ${isCast('TIMESTAMPTZ')}`,
      value: '$c::TIMESTAMPTZ',
    },
    {
      fits: `$c NOT LIKE '%Z' AND ${isShort()} AND ${isCast('TIMESTAMP')}`,
      value: '$c::TIMESTAMP',
    },
  ],
  bytes: [{ fits: "regexp_full_match($c, '([0-9a-f]{2})*')", value: 'unhex($c)' }],
}

/** No more digits of a second than six. */
function isShort(): string {
  return "NOT regexp_matches($c, '\\.\\d{7}')"
}

function isCast(type: string): string {
  return `TRY_CAST($c AS ${type}) IS NOT NULL`
}

function cast(type: string): Candidate {
  return { fits: isCast(type), value: `$c::${type}` }
}

function whole(type: string): Candidate {
  return { fits: `regexp_full_match($c, '-?\\d+') AND ${isCast(type)}`, value: `$c::${type}` }
}

/** How each column of `given` is read so that no value changes: as text where nothing else does. */
export async function typedColumns(
  connection: DuckDBConnection,
  columns: readonly DataColumn[],
): Promise<string[]> {
  const values: string[] = []
  for (const [i, { kind }] of columns.entries()) {
    const tried = kind === 'decimal' ? await decimals(connection, i) : (candidates[kind] ?? [])
    values.push(await firstFitting(connection, i, tried))
  }
  return values
}

async function firstFitting(
  connection: DuckDBConnection,
  i: number,
  tried: readonly Candidate[],
): Promise<string> {
  for (const { fits, value } of tried) {
    const sql = `SELECT bool_and(${fits}) FROM given WHERE $c IS NOT NULL`
    const [row] = await read(connection, sql, i)
    if (row?.[0] !== false) return value.replaceAll('$c', `c${i}`)
  }
  return `c${i}`
}

const mostDigits = 38

/** As many digits before and after the point as there are. */
async function decimals(connection: DuckDBConnection, i: number): Promise<Candidate[]> {
  const [row] = await read(
    connection,
    `SELECT max(length(regexp_extract($c, '^-?0*(\\d*)', 1))), max(length(split_part($c, '.', 2)))
     FROM given WHERE $c IS NOT NULL`,
    i,
  )
  const [before, after] = (row ?? []).map(Number) as [number, number]
  const digits = Math.max(1, before + after)
  if (digits > mostDigits) return []
  const type = `DECIMAL(${digits <= 18 ? 18 : mostDigits},${after})`
  return [{ fits: `regexp_full_match($c, '-?\\d+(\\.\\d+)?')`, value: `$c::${type}` }]
}

async function read(connection: DuckDBConnection, sql: string, i: number) {
  const reader = await connection.runAndReadAll(sql.replaceAll('$c', `c${i}`))
  return reader.getRowsJson()
}

/** Names that differ, whatever their case. */
export function toUniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name, i) => {
    const wanted = name || `column${i + 1}`
    let made = wanted
    for (let count = 2; taken.has(made.toLowerCase()); count += 1) made = `${wanted}_${count}`
    taken.add(made.toLowerCase())
    return made
  })
}
