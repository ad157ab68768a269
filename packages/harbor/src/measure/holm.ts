import type { IntervalAt } from './normal.ts'

/**
 * Which of several differences are more than chance, after Holm (1979). Where there is none in
 * truth, any of them is told in a share of at most `alpha`, however many there are and however they
 * hang together: the clearest must be clear at `alpha / n`, the next at `alpha / (n - 1)` …
 */
export function toldApart(differences: readonly IntervalAt[], alpha: number): boolean[] {
  const told = differences.map(() => false)
  for (;;) {
    const left = told.flatMap((isTold, at) => (isTold ? [] : [at]))
    const found = left.filter((at) => leavesOutZero(differences[at]!, alpha / left.length))
    if (found.length === 0) return told
    for (const at of found) told[at] = true
  }
}

function leavesOutZero(intervalAt: IntervalAt, alpha: number): boolean {
  const { low, high } = intervalAt(alpha)
  return low > 0 || high < 0
}
