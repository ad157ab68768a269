import type { ResultTable } from '../contract.ts'
import { type Cell, compareCells, isSameCell, toCell } from './cells.ts'

/** Beyond these the columns must stand in the order of the expected table. */
const columnsMax = 12
const ordersMax = 100
const stepsMax = 10_000

/**
 * Whether two tables say the same, whatever their columns are called and in whichever order they
 * stand. Rows may be in any order, unless it is asked for.
 */
export function isSameTable(
  expected: ResultTable,
  actual: ResultTable,
  { isRowOrderAsked }: { isRowOrderAsked: boolean },
): boolean {
  const width = widthOf(expected)
  if (expected.rows.length !== actual.rows.length || width !== widthOf(actual)) return false
  const [left, right] = [toCells(expected), toCells(actual)]
  const toComparable = isRowOrderAsked ? (rows: Cell[][]) => rows : toSortedRows
  const wanted = toComparable(left)
  const orders = columnOrders(left, right, width)
  return orders.some((order) =>
    areSameRows(wanted, toComparable(right.map((row) => inOrder(row, order)))),
  )
}

function widthOf({ columns, rows }: ResultTable): number {
  return Math.max(columns.length, rows[0]?.length ?? 0)
}

function toCells({ rows }: ResultTable): Cell[][] {
  return rows.map((row) => row.map(toCell))
}

function toSortedRows(rows: Cell[][]): Cell[][] {
  return rows.toSorted(compareRows)
}

function compareRows(a: Cell[], b: Cell[]): number {
  for (const [at, cell] of a.entries()) {
    const other = b[at]
    const order = other === undefined ? 1 : compareCells(cell, other)
    if (order !== 0) return order
  }
  return 0
}

function areSameRows(a: Cell[][], b: Cell[][]): boolean {
  return a.every((row, at) => {
    const other = b[at] ?? []
    return row.length === other.length && row.every((cell, i) => isSameIn(other, i, cell))
  })
}

function isSameIn(row: readonly Cell[], at: number, cell: Cell): boolean {
  const other = row[at]
  return other !== undefined && isSameCell(cell, other)
}

function inOrder(row: Cell[], order: readonly number[]): Cell[] {
  return order.flatMap((at) => row[at] ?? [])
}

/**
 * In which orders the right columns may stand for the left ones: each holds the same values as the
 * one it stands for. As they are comes first.
 */
function columnOrders(left: Cell[][], right: Cell[][], width: number): number[][] {
  const asTheyAre = Array.from({ length: width }, (_, at) => at)
  if (width < 2 || width > columnsMax) return [asTheyAre]
  const [wanted, found] = [left, right].map((rows) => asTheyAre.map((at) => column(rows, at)))
  const candidates = (wanted ?? []).map((values) =>
    asTheyAre.filter((at) => areSameRows([values], [found?.[at] ?? []])),
  )
  const search = { orders: [asTheyAre], steps: 0 }
  choose(candidates, [], search)
  return search.orders
}

function column(rows: Cell[][], at: number): Cell[] {
  return rows.flatMap((row) => row[at] ?? []).toSorted(compareCells)
}

interface Search {
  orders: number[][]
  steps: number
}

function choose(candidates: number[][], taken: number[], search: Search): void {
  search.steps += 1
  if (search.orders.length >= ordersMax || search.steps > stepsMax) return
  const next = candidates[taken.length]
  if (next === undefined) {
    search.orders.push(taken)
    return
  }
  for (const at of next) {
    if (!taken.includes(at)) choose(candidates, [...taken, at], search)
  }
}
