const minuteMs = 60_000

export interface Minute {
  /** When it began. */
  at: number
  count: number
  bad: number
}

interface Happened {
  at: number
  isBad?: boolean
}

/** How often something happened in each of the last minutes, the one under way at the end. */
export function perMinute(events: readonly Happened[], now: number, minutes: number): Minute[] {
  const current = Math.floor(now / minuteMs)
  const all = Array.from({ length: minutes }, (_, i) => ({
    ...{ at: (current - minutes + 1 + i) * minuteMs, count: 0, bad: 0 },
  }))
  for (const { at, isBad } of events) {
    const minute = all[minutes - 1 - (current - Math.floor(at / minuteMs))]
    if (!minute) continue
    minute.count += 1
    if (isBad) minute.bad += 1
  }
  return all
}

/** The mean of the last minutes. */
export function rateOf(minutes: readonly Minute[], last = 5): number {
  const recent = minutes.slice(-last)
  return recent.reduce((sum, { count }) => sum + count, 0) / Math.max(1, recent.length)
}
