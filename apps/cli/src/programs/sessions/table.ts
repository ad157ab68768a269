import { visibleWidth } from '@earendil-works/pi-tui'

/** Columns aligned by what a terminal shows of them: a Chinese character takes two cells. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => visibleWidth(row[column] ?? ''))),
  )
  const pad = (cell: string, column: number) =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - visibleWidth(cell)))
  return rows.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('')
}
