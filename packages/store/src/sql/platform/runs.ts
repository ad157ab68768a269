import type { RunStatus } from '@dataagent/schema'
import { countRows } from '../count-rows.ts'
import type { Page } from '../sessions.ts'
import { readUsage, type UsageColumn, type UsageQuery } from './run-usage.ts'
import type { PlatformOptions, RunRow } from './tables.ts'

export type Runs = ReturnType<typeof createRuns>

interface RunFilter extends Partial<Record<'user_id' | 'session_id', string | undefined>> {
  tenant_id: string
  status?: RunStatus | undefined
}

/** What is known of a run when it has ended. */
export interface RunEnd extends Pick<RunRow, UsageColumn | 'model' | 'error_code'> {
  status: 'done' | 'cancelled' | 'error'
  ended_at: number
}

export function createRuns({ db }: PlatformOptions) {
  function found({ tenant_id, ...equal }: RunFilter) {
    let query = db.selectFrom('runs').where('tenant_id', '=', tenant_id)
    for (const column of ['user_id', 'session_id', 'status'] as const) {
      const value = equal[column]
      if (value !== undefined) query = query.where(column, '=', value)
    }
    return query
  }

  /** Of each of these sessions the run that began last. */
  async function latestBegun(session_ids: readonly string[]): Promise<RunRow[]> {
    if (session_ids.length === 0) return []
    const rows = await db
      .selectFrom('runs')
      .innerJoin(
        (inner) =>
          inner
            .selectFrom('runs')
            .select(({ fn }) => ['session_id as id', fn.max('started_at').as('latest')])
            .where('session_id', 'in', session_ids)
            .groupBy('session_id')
            .as('last'),
        (join) =>
          join
            .onRef('last.id', '=', 'runs.session_id')
            .onRef('last.latest', '=', 'runs.started_at'),
      )
      .selectAll('runs')
      .orderBy('run_id')
      .execute()
    // Of two that began in one millisecond, one.
    return [...new Map(rows.map((run) => [run.session_id, run])).values()]
  }

  return {
    /** Throws `conflict` for an id that is taken. */
    async begin(run: RunRow): Promise<void> {
      await db.insertInto('runs').values(run).execute()
    },

    /** Nothing once it has ended. */
    async update(run_id: string, change: Partial<Pick<RunRow, 'status' | 'owner'>>) {
      if (Object.keys(change).length === 0) return
      const query = db.updateTable('runs').set(change).where('run_id', '=', run_id)
      await query.where('ended_at', 'is', null).execute()
    },

    /** Says of all open runs of a process that it is alive. */
    async seen(owner: string, seen_at: number): Promise<void> {
      const query = db.updateTable('runs').set({ seen_at }).where('owner', '=', owner)
      await query.where('ended_at', 'is', null).execute()
    },

    /** Has no owner from now on, unless it is another's already. */
    async leave(run_id: string, owner: string): Promise<void> {
      const query = db.updateTable('runs').set({ owner: '' }).where('run_id', '=', run_id)
      await query.where('owner', '=', owner).where('ended_at', 'is', null).execute()
    },

    /** True for the one caller that ended it. */
    async end(run_id: string, end: RunEnd): Promise<boolean> {
      const query = db.updateTable('runs').set(end).where('run_id', '=', run_id)
      return (await query.where('ended_at', 'is', null).executeTakeFirst()).numUpdatedRows > 0n
    },

    async forget(run_id: string): Promise<void> {
      await db.deleteFrom('runs').where('run_id', '=', run_id).execute()
    },

    async get(tenant_id: string, run_id: string): Promise<RunRow | undefined> {
      const row = await found({ tenant_id }).selectAll().where('run_id', '=', run_id).execute()
      return row.find((run) => run.run_id === run_id && run.tenant_id === tenant_id)
    },

    /** Those that have not ended, of one tenant or of all, oldest first. */
    open: (limit: number, tenant_id?: string): Promise<RunRow[]> =>
      (tenant_id === undefined ? db.selectFrom('runs') : found({ tenant_id }))
        .selectAll()
        .where('ended_at', 'is', null)
        .orderBy('started_at')
        .orderBy('run_id')
        .limit(limit)
        .execute(),

    /**
     * The last run of each of these sessions, in no order: one that has not ended, whatever the
     * clocks of the processes say; else the one that began last.
     */
    async latestOf(session_ids: readonly string[]): Promise<RunRow[]> {
      if (session_ids.length === 0) return []
      const open = await db
        .selectFrom('runs')
        .selectAll()
        .where('ended_at', 'is', null)
        .where('session_id', 'in', session_ids)
        .orderBy('started_at')
        .orderBy('run_id')
        .execute()
      const latest = new Map(open.map((run) => [run.session_id, run]))
      const others = session_ids.filter((session_id) => !latest.has(session_id))
      return [...latest.values(), ...(await latestBegun(others))]
    },

    /** Newest first. */
    list: ({ limit, offset, ...query }: RunFilter & Page): Promise<RunRow[]> =>
      found(query)
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('run_id')
        .limit(limit)
        .offset(offset)
        .execute(),

    count: (query: RunFilter) => countRows(found(query)),

    usage: (query: UsageQuery) => readUsage(db, query),

    /** Deletes at most `limit` that ended before `before`; gives how many. */
    async deleteEnded(before: number, limit: number): Promise<number> {
      const ended = db.selectFrom('runs').select('run_id').where('ended_at', '<', before)
      const old = await ended.orderBy('ended_at').limit(limit).execute()
      if (old.length === 0) return 0
      const ids = old.map(({ run_id }) => run_id)
      const query = db.deleteFrom('runs').where('run_id', 'in', ids)
      return Number((await query.executeTakeFirst()).numDeletedRows)
    },
  }
}
