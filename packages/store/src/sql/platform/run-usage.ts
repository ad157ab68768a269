import type { RunInfo } from '@dataagent/schema'
import { type Kysely, sql } from 'kysely'
import { minuteMs, startOf, toMinute } from '../start-of.ts'
import type { Database } from '../tables.ts'

export interface UsageQuery {
  tenant_id: string
  user_id?: string | undefined
  /** Runs that began in [from, to). */
  from: number
  to: number
  by: 'day' | 'minute' | 'user' | 'model' | 'assistant'
}

/** What is summed. */
const sums = ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'cost_micros'] as const
export type UsageColumn = (typeof sums)[number]

/**
 * `key` is the day (2026-11-16, UTC), the minute (2026-11-16T10:05Z), the user, the model ('' where
 * none ran) or the assistant.
 */
export interface UsageRow extends Pick<RunInfo, UsageColumn> {
  key: string
  runs: number
  errors: number
}

/** A day that begins within a minute has 1,441 of them. */
const maxRows = 1_500
const dayMs = 86_400_000

/** What is summed by. A time is the moment when it began: databases disagree on how to divide. */
const keys = {
  day: startOf(dayMs),
  minute: startOf(minuteMs),
  user: sql.ref('user_id'),
  model: sql`coalesce(model, '')`,
  assistant: sql.ref('assistant_id'),
}

/** By `key`, at most 1,500 rows. */
export async function readUsage(db: Kysely<Database>, query: UsageQuery): Promise<UsageRow[]> {
  const { tenant_id, user_id, from, to, by } = query
  const own = db.selectFrom('runs').where('tenant_id', '=', tenant_id)
  const asked = user_id === undefined ? own : own.where('user_id', '=', user_id)
  const rows = await asked
    .where('started_at', '>=', from)
    .where('started_at', '<', to)
    .select(keys[by].as('key'))
    .select(({ fn }) => fn.countAll().as('runs'))
    .select(sql`sum(case when status = 'error' then 1 else 0 end)`.as('errors'))
    .select(({ fn }) => sums.map((column) => fn.sum(column).as(column)))
    .groupBy(keys[by])
    .orderBy(keys[by])
    .limit(maxRows)
    .execute()
  return rows.map(({ key, ...counts }) => ({ key: toKey(by, key), ...toNumbers(counts) }))
}

function toKey(by: UsageQuery['by'], key: unknown): string {
  if (by === 'minute') return toMinute(Number(key))
  return by === 'day' ? new Date(Number(key)).toISOString().slice(0, 10) : String(key)
}

/** Servers give sums as text. */
function toNumbers<Name extends string>(counts: Record<Name, unknown>): Record<Name, number> {
  const entries = Object.entries(counts).map(([name, value]) => [name, Number(value)])
  return Object.fromEntries(entries)
}
