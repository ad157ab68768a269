import { isPlainObject } from '@dataagent/schema'
import type { ShownTable } from '../contract.ts'

/**
 * The table that a tool gave: `{ columns, rows }` as such, as structured content or as JSON text.
 * Rows may be lists or objects, columns names or `{ name }`.
 */
export function toTable(result: unknown): ShownTable | undefined {
  if (typeof result === 'string') return toTable(readText(result))
  if (!isPlainObject(result)) return undefined
  const { columns, rows, structuredContent, content } = result
  if (Array.isArray(columns) && Array.isArray(rows))
    return { ...toRows(columns.map(toName), rows), ...toKept(result) }
  const structured = toTable(structuredContent)
  if (structured || !Array.isArray(content)) return structured
  return content.map((part) => toTable(Object(part).text)).find((table) => table !== undefined)
}

/** Most results are no tables: those are not parsed. */
function readText(text: string): unknown {
  if (!text.includes('"rows"') || !text.includes('"columns"')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toName = (column: unknown) => String(isPlainObject(column) ? column.name : column)

function toRows(columns: string[], rows: readonly unknown[]): ShownTable {
  const toRow = (row: unknown) => {
    if (Array.isArray(row)) return row
    return isPlainObject(row) ? columns.map((column) => row[column] ?? null) : [row]
  }
  return { columns, rows: rows.map(toRow) }
}

function toKept({ query_id, kept_rows }: Record<string, unknown>): Pick<ShownTable, 'kept'> {
  if (typeof query_id !== 'string' || typeof kept_rows !== 'number') return {}
  return { kept: { query_id, kept_rows } }
}
