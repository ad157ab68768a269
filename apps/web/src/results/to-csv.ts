import type { ResultTable } from './to-table.ts'

/** A cell as text: what is nested as JSON, nothing as nothing. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** For spreadsheets. A cell that they would take for a formula is kept from being one. */
export function toCsv({ columns, rows }: Pick<ResultTable, 'columns' | 'rows'>): string {
  const lines = [columns, ...rows].map((row) => row.map(quote).join(','))
  return `\ufeff${lines.join('\r\n')}\r\n`
}

/** As it is pasted into a spreadsheet. */
export function toTabs({ columns, rows }: Pick<ResultTable, 'columns' | 'rows'>): string {
  const plain = (value: unknown) => guard(value).replace(/[\t\r\n]+/g, ' ')
  return [columns, ...rows].map((row) => row.map(plain).join('\t')).join('\n')
}

function quote(value: unknown): string {
  const text = guard(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Where a semicolon or a tab separates cells, what stands within a text may be a cell, too. */
function guard(value: unknown): string {
  const text = toCell(value)
  if (typeof value !== 'string' && typeof value !== 'object') return text
  const harmless = text.replace(/([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g, "$1'")
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${harmless}` : harmless
}
