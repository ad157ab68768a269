import type { UsageReport } from '@dataagent/schema'

export type UsageRow = UsageReport['rows'][number]

export const tokensOf = ({ prompt_tokens, completion_tokens }: UsageRow) =>
  prompt_tokens + completion_tokens

const counted = [
  ...(['runs', 'errors', 'prompt_tokens', 'completion_tokens'] as const),
  ...(['cached_tokens', 'cost_micros'] as const),
]

/** All rows as one. */
export function sumUsage(rows: readonly UsageRow[], key: string): UsageRow {
  const sum: UsageRow = {
    ...{ key, runs: 0, errors: 0, prompt_tokens: 0, completion_tokens: 0 },
    ...{ cached_tokens: 0, cost_micros: 0 },
  }
  for (const row of rows) for (const name of counted) sum[name] += row[name]
  return sum
}

/** Days in their order; all else by tokens, the most first. */
export function arrangeUsage(
  rows: readonly UsageRow[],
  by: UsageReport['by'],
): readonly UsageRow[] {
  if (by === 'day') return rows.toSorted((a, b) => a.key.localeCompare(b.key))
  return rows.toSorted((a, b) => tokensOf(b) - tokensOf(a) || b.runs - a.runs)
}

const dayMs = 86_400_000
const daysMost = 400

/** Every day of a period in UTC, also those on which nothing happened. */
export function fillDays(rows: readonly UsageRow[], from: number, to: number): UsageRow[] {
  const byDay = new Map(rows.map((row) => [row.key, row]))
  const first = Math.floor(from / dayMs)
  const count = Math.min(daysMost, Math.max(1, Math.floor(to / dayMs) - first + 1))
  return Array.from({ length: count }, (_, i) => {
    const key = new Date((first + i) * dayMs).toISOString().slice(0, 10)
    return byDay.get(key) ?? sumUsage([], key)
  })
}
