import { type RawBuilder, sql } from 'kysely'

export const minuteMs = 60_000

/** The moment when the day or the minute of `started_at` began, in UTC. */
export function startOf(ms: number): RawBuilder<unknown> {
  return sql`started_at - started_at % ${sql.raw(String(ms))}`
}

/** `2026-11-16T10:05Z` */
export function toMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`
}
