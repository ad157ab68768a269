import type { Glyphs, Theme } from '../contract.ts'
import { type Look, say } from '../look.ts'
import { cut, padEnd, padStart, widthOf, wrap } from '../width.ts'
import { words } from '../words.ts'
import {
  type Align,
  layOutTable,
  type TableLayout,
  type TableSource,
  toNumber,
} from './table-layout.ts'

const cellLinesMax = 3

/** A table as lines, none wider than told. */
export function renderTable(source: TableSource, look: Look, width: number): string[] {
  const layout = layOutTable(source, width)
  return [...renderHead(layout, look, width), ...renderRows(layout, source.rows, look)]
}

export function renderHead(layout: TableLayout, look: Look, width: number): string[] {
  const { theme } = look
  const { line, ellipsis } = theme.glyphs
  const titles = layout.columns.map(({ title }) => theme.strong(title))
  const cross = `${line}${theme.isAscii ? '+' : '┼'}${line}`
  const rule = layout.columns.map((_, at) => line.repeat(roomOf(layout, at))).join(cross)
  const head = [...renderRow(layout, titles, look), theme.dim(rule)]
  if (layout.hidden === 0) return head
  const more = theme.dim(say(look, words.moreColumns(layout.hidden)))
  return [cut(more, width, ellipsis), ...head]
}

export function renderRows(layout: TableLayout, rows: TableSource['rows'], look: Look): string[] {
  return rows.flatMap((row) => renderRow(layout, row, look, barOf(layout, row, look.theme)))
}

function renderRow(
  layout: TableLayout,
  row: readonly string[],
  { theme }: Look,
  bar = '',
): string[] {
  const cells = layout.columns.map(({ width }, at) => fold(row[at] ?? '', width, theme))
  const height = Math.max(1, ...cells.map((lines) => lines.length))
  const border = theme.dim(theme.isAscii ? '|' : '│')
  return Array.from({ length: height }, (_, line) => {
    const parts = layout.columns.map(({ width, align }, at) => {
      const text = place(cells[at]?.[line] ?? '', width, align)
      if (layout.bar?.column !== at) return text
      return padEnd(line === 0 ? `${text}  ${bar}` : text, roomOf(layout, at))
    })
    return parts.join(` ${border} `).trimEnd()
  })
}

/** Cells of a column, with the bar beside it. */
function roomOf({ columns, bar }: TableLayout, at: number): number {
  return (columns[at]?.width ?? 0) + (bar?.column === at ? bar.room + 2 : 0)
}

function fold(cell: string, width: number, theme: Theme): string[] {
  if (widthOf(cell) <= width) return [cell]
  const lines = wrap(cell, width).map((line) => cut(line, width, ''))
  if (lines.length <= cellLinesMax) return lines
  const last = lines.slice(cellLinesMax - 1).join(' ')
  return [...lines.slice(0, cellLinesMax - 1), cut(last, width, theme.glyphs.ellipsis)]
}

function place(text: string, width: number, align: Align): string {
  if (align === 'left') return padEnd(text, width)
  if (align === 'right') return padStart(text, width)
  return padEnd(' '.repeat(Math.max(0, (width - widthOf(text)) >> 1)) + text, width)
}

function barOf({ bar }: TableLayout, row: readonly string[], theme: Theme): string {
  if (!bar) return ''
  const value = toNumber(row[bar.column] ?? '') ?? 0
  const length = value <= 0 ? 0 : Math.max(1, Math.round((value / bar.max) * bar.room))
  return theme.accent((theme.glyphs.blocks.at(-2) ?? '#').repeat(Math.min(length, bar.room)))
}

/** One sign for each value, as high as it is between the least and the most. */
export function sparkline(values: readonly number[], { blocks }: Pick<Glyphs, 'blocks'>): string {
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY)
  const most = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY)
  const range = most - least
  const top = blocks.length - 1
  return values
    .map((value) => blocks[range === 0 ? top >> 1 : Math.round(((value - least) / range) * top)])
    .join('')
}
