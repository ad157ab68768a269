import { padEnd, padStart, widthOf } from './cells.ts'
import type { Paint } from './paint.ts'

/** Lines with columns below each other. The first column is to the left, the rest to the right. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { paint, left = 1 }: { paint: Paint; left?: number },
): string[] {
  const widths = head.map((cell, at) =>
    Math.max(widthOf(cell), ...rows.map((row) => widthOf(row[at] ?? ''))),
  )
  const toRow = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at < left ? padEnd : padStart)(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint('dim', toRow(head)), ...rows.map(toRow)]
}
