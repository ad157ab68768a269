import type { Visits } from './analysis.ts'

export interface Preference {
  value: string
  count: number
  share: number
}

export interface Preferences {
  categories: Preference[]
  services: Preference[]
  doctors: Preference[]
  channels: Preference[]
  weekdays: Preference[]
  paid_yuan: { min: number; median: number; max: number } | null
}

const weekdayNames = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']

/** What the customer has chosen most often so far: counts, not guesses. */
export function findPreferences({ treatments, consultations }: Visits, limit: number): Preferences {
  const rank = (values: string[]) => rankByCount(values).slice(0, limit)
  return {
    categories: rank(treatments.map(({ category }) => category)),
    services: rank(treatments.map(({ service_name }) => service_name)),
    doctors: rank(treatments.map(({ doctor_name }) => doctor_name)),
    channels: rank(consultations.map(({ channel }) => channel)),
    weekdays: rank(treatments.map(({ day }) => weekdayNames[new Date(day).getUTCDay()]!)),
    paid_yuan: rangeOf(treatments.map(({ paid_yuan }) => paid_yuan)),
  }
}

function rankByCount(values: string[]): Preference[] {
  const groups = Map.groupBy(values, (value) => value)
  return [...groups]
    .map(([value, { length: count }]) => ({ value, count, share: toShare(count, values.length) }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
}

function toShare(count: number, total: number): number {
  return Math.round((count / total) * 100) / 100
}

function rangeOf(amounts: number[]): Preferences['paid_yuan'] {
  const sorted = amounts.toSorted((a, b) => a - b)
  const [min, max] = [sorted[0], sorted.at(-1)]
  if (min === undefined || max === undefined) return null
  return { min, median: sorted[Math.floor(sorted.length / 2)]!, max }
}
