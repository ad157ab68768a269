/** The known name that a typing error could have been meant for. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(name, candidate) }))
    .toSorted((a, b) => a.edits - b.edits)
  const [best] = ranked
  return best && best.edits <= Math.max(2, name.length / 3) ? best.candidate : undefined
}

/** Letters that are added, lost, changed, or swapped with their neighbour. */
function countEdits(from: string, to: string): number {
  const costs: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)]
  const cost = (row: number, column: number) => costs[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    costs[row] = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      costs[row]![column] = Math.min(
        cost(row - 1, column - 1) + (isSame ? 0 : 1),
        cost(row - 1, column) + 1,
        cost(row, column - 1) + 1,
        isSwap ? cost(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return cost(from.length, to.length)
}
