import { visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { type Theme, toPlainLine } from '../../ui/index.ts'

/** As wide as the widest of them, all but the last; numbers stand at the right. */
export interface RowsOptions {
  width: number
  /** Columns, from 0, whose cells end at the same place. */
  right?: readonly number[] | undefined
  indent?: number | undefined
}

/**
 * Cells as lines: each column as wide as its widest cell, the last one cut to what is left. Cells
 * must be plain, or painted by the theme where they are not in the last column.
 */
export function toRows(rows: readonly (readonly string[])[], options: RowsOptions): string[] {
  const { width, right = [], indent = 2 } = options
  const widths = columnWidths(rows)
  return rows.map((cells) => {
    let line = ' '.repeat(indent)
    for (const [at, cell] of cells.entries()) {
      const isLast = at === cells.length - 1
      if (isLast && !right.includes(at)) {
        line += toPlainLine(cell, Math.max(8, width - visibleWidth(line)))
      } else line += pad(cell, widths[at] ?? 0, right.includes(at)) + (isLast ? '' : '  ')
    }
    return line.trimEnd()
  })
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const cells of rows) {
    for (const [at, cell] of cells.entries())
      widths[at] = Math.max(widths[at] ?? 0, visibleWidth(cell))
  }
  return widths
}

function pad(cell: string, width: number, isRight: boolean): string {
  const room = ' '.repeat(Math.max(0, width - visibleWidth(cell)))
  return isRight ? room + cell : cell + room
}

/** Wrapped text whose lines begin under each other, behind what the first begins with. */
export function toIndented(first: string, text: string, width: number): string[] {
  const indent = visibleWidth(first)
  const lines = wrapTextWithAnsi(text, Math.max(8, width - indent))
  return lines.map((line, at) => (at === 0 ? first : ' '.repeat(indent)) + line)
}

/** A share of 0 to 1 as a bar of so many cells. */
export function toBar(share: number, cells: number, theme: Theme): string {
  const full = Math.min(cells, Math.max(share > 0 ? 1 : 0, Math.round(share * cells)))
  const block = theme.glyphs.blocks.at(-1) ?? '#'
  return theme.accent(block.repeat(full)) + theme.dim(theme.glyphs.line.repeat(cells - full))
}
