import type { Lang } from '../../words/index.ts'

/** Whole numbers in groups of three. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Three digits at most: 950, 1.2k, 34k, 1.5M. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return formatCount(tokens)
  const [value, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M']
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)}${unit}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let at = 0
  for (; value >= 999.5 && at < units.length - 1; at += 1) value /= 1024
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[at]}`
}

export function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

/** Of the price list's currency, whose name the platform does not know. */
export function formatCost(micros: number): string {
  const amount = micros / 1_000_000
  return amount >= 1 ? amount.toFixed(2) : amount.toFixed(4)
}

export function formatShare(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`
}

const steps: readonly [ms: number, en: string, zh: string][] = [
  [86_400_000, 'd', '天'],
  [3_600_000, 'h', '小时'],
  [60_000, 'min', '分钟'],
]

/** How long ago something was, in its largest unit. */
export function formatAge(timestamp: number, now: number, lang: Lang): string {
  const ms = Math.max(0, now - timestamp)
  for (const [unit, en, zh] of steps) {
    if (ms < unit) continue
    const count = Math.floor(ms / unit)
    return lang === 'zh' ? `${count} ${zh}前` : `${count} ${en} ago`
  }
  return lang === 'zh' ? '刚刚' : 'just now'
}

/** Local time of day, with the milliseconds. */
export function formatTime(timestamp: number): string {
  const date = new Date(timestamp)
  const two = (value: number) => value.toString().padStart(2, '0')
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${time}.${date.getMilliseconds().toString().padStart(3, '0')}`
}
