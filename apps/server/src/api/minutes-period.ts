const dayMs = 24 * 3_600_000

/** Minutes are counted of one day, the last of what is asked: there may be very many. */
export function toMinutesPeriod({ from = 0, to }: { from?: number | undefined; to: number }) {
  return { from: Math.max(from, to - dayMs), to }
}
