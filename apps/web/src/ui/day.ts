/** A moment as the day that `<input type="date">` shows, in the time of this place. */
export function toDay(at: number | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0')).join('-')
}

/** When a day begins here, or with `end` when it is over; undefined for what is no day. */
export function fromDay(day: string, end: 'begins' | 'ends' = 'begins'): number | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return undefined
  const at = new Date(year, month - 1, end === 'ends' ? date + 1 : date).getTime()
  return Number.isFinite(at) && at >= 0 ? at : undefined
}
