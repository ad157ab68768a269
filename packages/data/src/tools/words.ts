import type { DataColumn, DataRow, DataValue, QueryResult } from '@dataagent/schema'
import { suggestChart } from '../charts/index.ts'

/** A result as a model reads it: what it is, its first rows, and how to cite it. */
export function toResultText(query: QueryResult): string {
  const { ref, rows, columns, source_name, elapsed_ms, as_of } = query
  const facts = `${ref}: ${toCount(query)} from ${source_name}, ${elapsed_ms} ms, as of ${new Date(as_of).toISOString()}.`
  const verified =
    query.verified_question_id === undefined ? [] : ['An administrator has verified this query.']
  const shown = isWhole(query)
    ? []
    : [`Only the first ${rows.length} rows are shown. Compute totals in SQL, not from these.`]
  const cite = `Cite each number that you take from it as [${ref}].`
  const chart = suggestChart(columns, rows)
  const fitting = chart ? [`${chartHint}${JSON.stringify({ query: ref, chart })}`] : []
  return [facts, ...verified, toTable(columns, rows), ...shown, ...fitting, cite].join('\n')
}

/** What follows on its line are arguments of `make_chart`. */
const chartHint = 'A chart that fits: make_chart '

function toCount({ row_count, kept_rows }: QueryResult): string {
  if (row_count === null) return `more than ${kept_rows} rows (too many to count in time)`
  return row_count === 1 ? '1 row' : `${row_count} rows`
}

function isWhole({ row_count, rows }: QueryResult): boolean {
  return row_count === rows.length
}

/** Rows as lines with bars between the values. */
export function toTable(columns: readonly DataColumn[], rows: readonly DataRow[]): string {
  const head = columns.map(({ name }) => toCell(name)).join(' | ')
  const lines = rows.map((row) => row.map(toCell).join(' | '))
  return [head, ...lines].join('\n')
}

const cellMax = 400

/** So that a value is one cell of one line. */
const escapes: Readonly<Record<string, string>> = {
  ...{ '\\': '\\\\', '|': '\\|', '\r': '\\r', '\n': '\\n' },
}

function toCell(value: DataValue): string {
  if (value === null) return 'NULL'
  const text = String(value)
  const shown = text.length > cellMax ? `${text.slice(0, cellMax).toWellFormed()}…` : text
  return shown.replace(/[\\|\r\n]/g, (char) => escapes[char]!)
}
