import type { StatementSync } from 'node:sqlite'
import type { ColumnKind, DataColumn, DataRow, DataValue } from '@dataagent/schema'

/** What is declared, as far as the first values agree: SQLite keeps any value in any column. */
export function toColumns(
  declarations: ReturnType<StatementSync['columns']>,
  firsts: readonly unknown[],
): DataColumn[] {
  return declarations.map(({ name, type }, at) => {
    const first = firsts[at] ?? null
    const declared = toKind(type ?? '')
    const kind = fits(declared, first) ? declared : kindOf(first)
    return { name, type: type ?? kindOf(first).toUpperCase(), kind }
  })
}

export function toKind(type: string): ColumnKind {
  if (/INT/i.test(type)) return 'integer'
  if (/CHAR|CLOB|TEXT/i.test(type)) return 'text'
  if (/BLOB/i.test(type)) return 'bytes'
  if (/REAL|FLOA|DOUB/i.test(type)) return 'float'
  if (/DEC|NUMERIC/i.test(type)) return 'decimal'
  if (/DATETIME|TIMESTAMP/i.test(type)) return 'timestamp'
  if (/^DATE/i.test(type)) return 'date'
  if (/^TIME/i.test(type)) return 'time'
  if (/JSON/i.test(type)) return 'json'
  if (/BOOL/i.test(type)) return 'integer'
  return 'other'
}

/** Puts what SQLite has given into what is told of it, in the row itself. */
export function toRow(row: unknown[]): DataRow {
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at]
    if (typeof value !== 'string' && value !== null) row[at] = toValue(value)
  }
  return row as DataRow
}

function toValue(value: unknown): DataValue {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return Buffer.from(value as Uint8Array).toString('hex')
}

function fits(kind: ColumnKind, value: unknown): boolean {
  if (kind === 'other') return false
  if (value === null) return true
  const found = kindOf(value)
  if (kind === 'integer') return found === 'integer'
  if (kind === 'float' || kind === 'decimal') return found === 'integer' || found === 'float'
  return found === (kind === 'bytes' ? 'bytes' : 'text')
}

function kindOf(value: unknown): ColumnKind {
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'number') return 'float'
  if (value instanceof Uint8Array) return 'bytes'
  return typeof value === 'string' ? 'text' : 'other'
}
