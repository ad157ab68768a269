/** What was held after each round, by what it is: `heap`, `timers`, `handles: TCPSocketWrap` … */
export type Series = ReadonlyMap<string, readonly number[]>

/** How much more of something the last third of rounds may hold than the first. */
export interface Bound {
  /** For each round between the middles of the two thirds. */
  perRound: number
  /** Beside that, whatever the number of rounds. */
  slack: number
}

export interface Verdict {
  name: string
  /** Medians of the first third and of the last. */
  first: number
  last: number
  perRound: number
  isFlat: boolean
}

/** One verdict for each series, the rounds of the warm-up left out before. */
export function judge(series: Series, boundOf: (name: string) => Bound): Verdict[] {
  return [...series].map(([name, values]) => {
    const third = Math.ceil(values.length / 3)
    const first = median(values.slice(0, third))
    const last = median(values.slice(-third))
    const rounds = Math.max(1, values.length - third)
    const { perRound, slack } = boundOf(name)
    const isFlat = last - first <= slack + perRound * rounds
    return { name, first, last, perRound: (last - first) / rounds, isFlat }
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  if (Number.isInteger(middle)) return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
  return sorted[Math.floor(middle)] ?? 0
}
