import { stripTerminalSequences } from '@earendil-works/pi-tui'
import { widthOf } from '../width.ts'

export type Align = 'left' | 'right' | 'center'

export interface TableColumn {
  title: string
  /** Default: numbers right, else left. */
  align?: Align | undefined
  /** Default: where all its cells are. */
  isNumber?: boolean | undefined
}

export interface TableSource {
  columns: readonly TableColumn[]
  /** Cells by column, without control characters but the theme's. */
  rows: readonly (readonly string[])[]
}

/** Where the columns of a table are. Made once, it also holds for rows that come later. */
export interface TableLayout {
  columns: readonly { title: string; width: number; align: Align }[]
  /** Columns, the last ones, for which there is no room. */
  hidden: number
  /** Beside the one column of amounts, where there is room: how long it is for the largest. */
  bar: { column: number; max: number; room: number } | undefined
}

/** Between two columns: a space, a line, a space. */
const gutter = 3
const widthMin = 6
const barMin = 6
const barMax = 24

/** The widest columns give way first; where all are narrow and do not fit, the last go. */
export function layOutTable(source: TableSource, width: number): TableLayout {
  const natural = source.columns.map(({ title }, at) => widestOf(source.rows, at, widthOf(title)))
  const shown = countFitting(natural, width)
  const widths = shareWidth(natural.slice(0, shown), width - gutter * (shown - 1))
  const numeric = source.columns
    .slice(0, shown)
    .map(({ isNumber }, at) => isNumber ?? isNumeric(source.rows, at))
  const columns = widths.map((columnWidth, at) => ({
    title: source.columns[at]?.title ?? '',
    width: columnWidth,
    align: source.columns[at]?.align ?? (numeric[at] ? ('right' as const) : ('left' as const)),
  }))
  const used = widths.reduce((sum, each) => sum + each, gutter * (shown - 1))
  const hidden = natural.length - shown
  const bar = hidden > 0 ? undefined : findBar(source, numeric, width - used)
  return { columns, hidden, bar }
}

function widestOf(rows: TableSource['rows'], at: number, title: number): number {
  return rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? '')), Math.max(1, title))
}

function countFitting(natural: readonly number[], width: number): number {
  let used = -gutter
  for (const [at, each] of natural.entries()) {
    used += gutter + Math.min(each, widthMin)
    if (used > width) return Math.max(1, at)
  }
  return natural.length
}

/** The largest width that no column may pass, so that all fit together. */
function shareWidth(natural: readonly number[], room: number): number[] {
  let [low, high] = [1, Math.max(1, ...natural)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sum(natural.map((each) => Math.min(each, middle))) <= room) low = middle
    else high = middle - 1
  }
  const widths = natural.map((each) => Math.min(each, low))
  let left = room - sum(widths)
  return widths.map((each, at) => {
    if (left <= 0 || (natural[at] ?? 0) <= each) return each
    left -= 1
    return each + 1
  })
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

const numberForm = /^[-+−]?\s?[¥$€£￥]?\s?\d[\d,_ ]*(?:\.\d+)?(?:e[+-]?\d{1,3})?\s?[%‰]?$/i

function isNumeric(rows: TableSource['rows'], at: number): boolean {
  const cells = rows.map((row) => plain(row[at] ?? '')).filter((cell) => cell !== '')
  return cells.length > 0 && cells.every((cell) => numberForm.test(cell))
}

/** What a cell counts; undefined where it is no number. */
export function toNumber(cell: string): number | undefined {
  const text = plain(cell)
  if (!numberForm.test(text)) return undefined
  return Number(text.replace('−', '-').replace(/[¥$€£￥,_\s%‰]/g, ''))
}

function plain(cell: string): string {
  return stripTerminalSequences(cell).trim()
}

/** Numbers that are names, not amounts. */
const nameTitles = /(^|[^a-z])(id|no|code|year|month|day|年|月|日|编号|号)s?$/i

function findBar(source: TableSource, numeric: readonly boolean[], left: number) {
  const at = numeric.indexOf(true)
  const room = Math.min(at === numeric.length - 1 ? barMax : barMax / 2, left - 2)
  // A number in front is mostly the name of its row.
  if (at < 1 || numeric.lastIndexOf(true) !== at) return undefined
  if (source.rows.length < 2 || room < barMin) return undefined
  const title = plain(source.columns[at]?.title ?? '')
  const values = source.rows.map((row) => toNumber(row[at] ?? '') ?? 0)
  const isYear = values.every((value) => Number.isInteger(value) && value > 1900 && value < 2100)
  const max = values.reduce((most, value) => Math.max(most, value), 0)
  if (nameTitles.test(title) || isYear || max <= 0 || values.some((value) => value < 0)) {
    return undefined
  }
  return { column: at, max, room }
}
