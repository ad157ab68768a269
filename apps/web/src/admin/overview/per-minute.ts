const minuteMs = 60_000

export interface Minute {
  /** When it began. */
  at: number
  count: number
  bad: number
}

/** When the first of the last minutes began, of which the last is under way. */
export function firstMinute(now: number, minutes: number): number {
  return (Math.floor(now / minuteMs) - minutes + 1) * minuteMs
}

/** What was counted of each of the last minutes, by one number or several, in their order. */
export function perMinute(counted: readonly Minute[], now: number, minutes: number): Minute[] {
  const first = firstMinute(now, minutes)
  const all = Array.from({ length: minutes }, (_, i) => ({
    ...{ at: first + i * minuteMs, count: 0, bad: 0 },
  }))
  for (const { at, count, bad } of counted) {
    const minute = all[(at - first) / minuteMs]
    if (!minute) continue
    minute.count += count
    minute.bad += bad
  }
  return all
}

/** The mean of the last minutes. */
export function rateOf(minutes: readonly Minute[], last = 5): number {
  const recent = minutes.slice(-last)
  return recent.reduce((sum, { count }) => sum + count, 0) / Math.max(1, recent.length)
}
