import type { ResultTable } from '../../results/to-table.ts'

const columnsMax = 200
const rowsMax = 100_000

/**
 * A table of separated values (RFC 4180, or with semicolons or tabs), the first line its head.
 * Undefined where there is no line at all.
 */
export function parseCsv(text: string): ResultTable | undefined {
  const plain = text.replace(/^\ufeff/, '')
  const rows = toRows(plain, separatorOf(plain))
  const [head, ...body] = rows
  if (!head) return undefined
  const width = Math.min(columnsMax, Math.max(...rows.slice(0, 1000).map((row) => row.length)))
  const columns = Array.from({ length: width }, (_, i) => head[i] || `${i + 1}`)
  const shown = body.slice(0, rowsMax)
  const numeric = columns.map((_, i) => isNumeric(shown, i))
  return {
    columns,
    rows: shown.map((row) => columns.map((_, i) => toValue(row[i], numeric[i] ?? false))),
    total: body.length > rowsMax ? body.length : undefined,
  }
}

/** The sign that the first line has most of, outside of quotes. */
function separatorOf(text: string): string {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? ''
  const count = (sign: string) => line.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

function toRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === separator) endCell()
    else if (sign === '\n') endRow()
    else if (sign !== '\r' || text[at + 1] !== '\n') cell += sign
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

const isNumber = (text: string) => /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text)

/** Whether a column holds numbers alone: those are aligned and sorted as such. */
function isNumeric(rows: readonly string[][], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '')
  return cells.length > 0 && cells.every(isNumber)
}

function toValue(cell: string | undefined, isNumeric: boolean): unknown {
  if (cell === undefined || cell === '') return null
  return isNumeric ? Number(cell) : cell
}
