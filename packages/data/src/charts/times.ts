import type { ColumnKind, DataValue } from '@dataagent/schema'
import { type ChartLanguage, wordsOf } from './words.ts'

const day = '(\\d{4})-(\\d\\d)-(\\d\\d)'
const clock = '(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{1,9}))?)?'
const iso = new RegExp(`^${day}(?:[T ]${clock}(Z|[+-]\\d\\d(?::?\\d\\d)?)?)?$`)
const timeLike = /^\d{4}(?:[-/.年](?:\d{1,2}|[QqHh]\d)月?)?(?:[-/.]\d{1,2})?(?:年)?$/

/** Whether a column has a place in time for each row. */
export function isTime(kind: ColumnKind): boolean {
  return kind === 'date' || kind === 'timestamp'
}

/** A text that names a year, a quarter, a month or a day: `2026`, `2026-Q1`, `2026-03`. */
export function isTimeLike(text: string): boolean {
  return text.length <= 16 && timeLike.test(text)
}

/** Milliseconds since 1970, times without a zone as if in UTC; null for what is no such time. */
export function toTime(value: DataValue | undefined): number | null {
  if (typeof value !== 'string' || value.length > 40) return null
  const found = iso.exec(value)
  if (found === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', part = '0', zone = 'Z'] =
    found
  const millis = part.padEnd(3, '0').slice(0, 3)
  const offset = zone.length === 3 ? `${zone}:00` : zone
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${offset}`)
  return Number.isNaN(time) ? null : time
}

/** Writes a place in time in full, as precise as the times around it are. */
export function createTimeText(
  times: readonly number[],
  language: ChartLanguage,
): (time: number) => string {
  const whole = times.every((time) => time % 86_400_000 === 0)
  const months = whole && areMonths(times)
  const minutes = times.every((time) => time % 60_000 === 0)
  const timeOfDay: Intl.DateTimeFormatOptions = {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(minutes ? {} : { second: '2-digit' }),
  }
  const formatter = dates(language, {
    ...{ year: 'numeric', month: language === 'zh' ? 'long' : 'short' },
    ...(months ? {} : { day: 'numeric' }),
    ...(whole ? {} : timeOfDay),
  })
  return (time) => formatter.format(time)
}

/** Writes the ticks of a time axis: each as the largest unit that it begins. */
export function createTickTime(language: ChartLanguage): (time: number) => string {
  const month = language === 'zh' ? 'numeric' : 'short'
  const year = dates(language, { year: 'numeric' })
  const months = dates(language, { month })
  const days = dates(language, { month: language === 'zh' ? 'long' : 'short', day: 'numeric' })
  const minutes = dates(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const seconds = dates(language, {
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  })
  return (time) => {
    const date = new Date(time)
    if (time % 60_000 !== 0) return seconds.format(date)
    if (time % 86_400_000 !== 0) return minutes.format(date)
    if (date.getUTCDate() !== 1) return days.format(date)
    return date.getUTCMonth() === 0 ? year.format(date) : months.format(date)
  }
}

/** Whether several times are all the beginning of a month, as a query that groups by it gives. */
function areMonths(times: readonly number[]): boolean {
  const [first] = times
  if (times.every((time) => time === first)) return false
  return times.every((time) => new Date(time).getUTCDate() === 1)
}

function dates(language: ChartLanguage, options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(wordsOf(language).locale, { timeZone: 'UTC', ...options })
}
