import { toCell } from './to-csv.ts'

export interface Sorting {
  column: number
  down: boolean
}

type Cells = readonly unknown[]
export type Compare = (a: unknown, b: unknown, column: number) => number

/** The rows that hold the text, in the order that is wanted. */
export function arrange<Row extends Cells>(
  rows: readonly Row[],
  filter: string,
  sorting: Sorting | undefined,
  compare: Compare = compareCells,
): readonly Row[] {
  const text = filter.trim().toLowerCase()
  const kept =
    text === ''
      ? rows
      : rows.filter((row) => row.some((cell) => toCell(cell).toLowerCase().includes(text)))
  if (!sorting) return kept
  const { column, down } = sorting
  return kept.toSorted((a, b) => compare(a[column], b[column], column) * (down ? -1 : 1))
}

/** Up, down, as it came. */
export function nextSorting(now: Sorting | undefined, column: number): Sorting | undefined {
  if (now?.column !== column) return { column, down: false }
  return now.down ? undefined : { column, down: true }
}

function compareCells(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return toCell(a).localeCompare(toCell(b), undefined, { numeric: true })
}
