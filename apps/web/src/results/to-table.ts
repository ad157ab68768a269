import { isPlainObject } from '@dataagent/schema'

/** A result that is a table: rows of the same kind. */
export interface ResultTable {
  columns: readonly string[]
  /** By column. */
  rows: readonly (readonly unknown[])[]
  /** Of all, where the result says that these are only some. */
  total: number | undefined
}

const columnsMax = 60

/** Names under which tools give their rows. */
const rowNames = ['rows', 'items', 'results', 'records', 'data', 'list', 'orders', 'entries']

/** The table in a result, or undefined where it is none: a list of objects, or columns and rows. */
export function toTable(value: unknown): ResultTable | undefined {
  if (Array.isArray(value)) return fromRows(value)
  if (!isPlainObject(value)) return undefined
  if (isTexts(value.columns) && Array.isArray(value.rows)) {
    return withTotal(fromColumns(value.columns, value.rows), value)
  }
  const name = rowNames.find((each) => Array.isArray(value[each])) ?? onlyList(value)
  return name === undefined ? undefined : withTotal(fromRows(value[name] as unknown[]), value)
}

/** The one field that is a list of objects, whatever its name. */
function onlyList(value: Record<string, unknown>): string | undefined {
  const lists = Object.keys(value).filter((key) => Array.isArray(value[key]))
  return lists.length === 1 ? lists[0] : undefined
}

function fromRows(rows: readonly unknown[]): ResultTable | undefined {
  if (rows.length === 0 || !rows.every(isPlainObject)) return undefined
  const columns = [...new Set(rows.slice(0, 1000).flatMap((row) => Object.keys(row)))]
  if (columns.length === 0 || columns.length > columnsMax) return undefined
  return { columns, rows: rows.map((row) => columns.map((name) => row[name])), total: undefined }
}

function fromColumns(
  columns: readonly string[],
  rows: readonly unknown[],
): ResultTable | undefined {
  if (columns.length > columnsMax) return undefined
  const cells = rows.map((row) => {
    if (Array.isArray(row)) return row
    return isPlainObject(row) ? columns.map((name) => row[name]) : [row]
  })
  return { columns, rows: cells, total: undefined }
}

function withTotal(
  table: ResultTable | undefined,
  value: Record<string, unknown>,
): ResultTable | undefined {
  const total = value.row_count ?? value.total
  return table && isCount(total, table) ? { ...table, total } : table
}

/** The total of an order is an amount, not a count of its lines. */
function isCount(total: unknown, { rows }: ResultTable): total is number {
  return Number.isInteger(total) && (total as number) >= rows.length
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
}
