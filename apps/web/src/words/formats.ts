import type { Lang } from './words.ts'

const locales: Record<Lang, string> = { en: 'en-GB', zh: 'zh-CN' }

/** Numbers and times as people of a language write them. */
export interface Formats {
  number(value: number): string
  /** What something costs: of small amounts the digits that say something, `0.0021`. */
  amount(value: number): string
  /** `12 Jan 2027, 14:05` */
  time(at: number): string
  /** `14:05:09` */
  clock(at: number): string
  day(at: number): string
  /** `3 min ago`; `in 2 h` */
  ago(at: number, now?: number): string
  /** `3 d 4 h`, `12 min`, `1.2 s`, `40 ms` */
  duration(ms: number): string
  /** `1.5 MB` */
  bytes(count: number): string
}

const made = new Map<Lang, Formats>()

export function formatsOf(lang: Lang): Formats {
  const known = made.get(lang)
  if (known) return known
  const formats = createFormats(lang)
  made.set(lang, formats)
  return formats
}

function createFormats(lang: Lang): Formats {
  const locale = locales[lang]
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  const smalls = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  return {
    number: (value) => numbers.format(value),
    amount: (value) => (Math.abs(value) < 1 ? smalls : numbers).format(value),
    time: (at) => times.format(at),
    clock: (at) => clocks.format(at),
    day: (at) => days.format(at),
    ago(at, now = Date.now()) {
      const seconds = (at - now) / 1000
      const [unit, size] = relativeUnit(Math.abs(seconds))
      return relative.format(Math.round(seconds / size), unit)
    },
    duration: (ms) => toDuration(ms, lang),
    bytes: (count) => toBytes(count, numbers),
  }
}

function relativeUnit(seconds: number): [Intl.RelativeTimeFormatUnit, number] {
  if (seconds < 60) return ['second', 1]
  if (seconds < 3600) return ['minute', 60]
  if (seconds < 86_400) return ['hour', 3600]
  return ['day', 86_400]
}

const units: Record<Lang, readonly string[]> = {
  en: ['d', 'h', 'min', 's', 'ms'],
  zh: ['天', '小时', '分钟', '秒', '毫秒'],
}

function toDuration(ms: number, lang: Lang): string {
  const [d, h, min, s, milli] = units[lang]
  if (ms < 1000) return `${Math.round(ms)} ${milli}`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} ${s}`
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), d],
    [Math.floor(seconds / 3600) % 24, h],
    [Math.floor(seconds / 60) % 60, min],
    [seconds % 60, s],
  ] as const
  const from = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(from, from + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

function toBytes(count: number, numbers: Intl.NumberFormat): string {
  const names = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = count < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3))
  const value = count / 1000 ** step
  return `${numbers.format(Number(value.toPrecision(3)))} ${names[step]}`
}
