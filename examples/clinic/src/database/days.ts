/** The day that the generated history ends on: what "today" is for every rule. */
export const asOf = '2026-06-30'

/** How far back it goes. */
export const historyDays = 720

const dayMs = 86_400_000

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
