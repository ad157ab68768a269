import {
  type EvaluationRunInfo,
  type EvaluationRunSettings,
  type EvaluationState,
  type Question,
  readJson,
} from '@dataagent/schema'
import { countRows } from '../count-rows.ts'
import { assertId } from '../ids.ts'
import type { Page } from '../sessions.ts'
import { toStorableText } from '../storable-text.ts'
import { inTransaction } from '../transaction.ts'
import type { EvaluationRunRow, PlatformOptions } from './tables.ts'

type RunKey = Pick<EvaluationRunRow, 'tenant_id' | 'run_id'>

interface Run extends Omit<EvaluationRunInfo, 'counts'> {
  tenant_id: string
  owner: string
  seen_at: number
}

interface WholeRun extends Run {
  questions: Question[]
  report: string | null
}

interface RunEnd {
  state: EvaluationState
  ended_at: number
  error: EvaluationRunInfo['error']
}

interface RunFilter extends Partial<Record<'user_id' | 'dataset_id', string | undefined>> {
  tenant_id: string
}

const open = ['queued', 'running'] as const
const listed = [
  ...['tenant_id', 'run_id', 'user_id', 'dataset_id', 'name', 'source', 'state', 'owner'],
  ...['seen_at', 'settings', 'question_count', 'planned', 'error'],
  ...['created_at', 'started_at', 'ended_at'],
] as Exclude<keyof EvaluationRunRow, 'questions' | 'report'>[]

/** Runs of sets of questions. */
export function createEvaluationRuns({ db }: PlatformOptions) {
  function found({ tenant_id, ...equal }: RunFilter) {
    let query = db.selectFrom('evaluation_runs').where('tenant_id', '=', tenant_id)
    for (const column of ['user_id', 'dataset_id'] as const) {
      const value = equal[column]
      if (value !== undefined) query = query.where(column, '=', value)
    }
    return query
  }

  const one = ({ tenant_id, run_id }: RunKey) => found({ tenant_id }).where('run_id', '=', run_id)

  const change = ({ tenant_id, run_id }: RunKey, set: Partial<EvaluationRunRow>) =>
    db
      .updateTable('evaluation_runs')
      .set(set)
      .where(({ and }) => and({ tenant_id, run_id }))

  async function isOwn(run: RunKey, owner: string): Promise<boolean> {
    const row = await one(run).select(['owner', 'state']).executeTakeFirst()
    return row?.owner === owner && isOpen(row.state)
  }

  return {
    /** Throws `conflict` for an id that the tenant has. */
    async create({ questions, ...run }: WholeRun): Promise<void> {
      assertId('run_id', run.run_id)
      await db
        .insertInto('evaluation_runs')
        .values({
          ...{ ...run, name: toStorableText(run.name), questions: JSON.stringify(questions) },
          settings: run.settings && JSON.stringify(run.settings),
          error: run.error && JSON.stringify(run.error),
        })
        .execute()
    },

    async get(tenant_id: string, run_id: string): Promise<Run | undefined> {
      const row = await one({ tenant_id, run_id }).select(listed).executeTakeFirst()
      return row?.run_id === run_id && row.tenant_id === tenant_id ? fromRow(row) : undefined
    },

    async getWhole(tenant_id: string, run_id: string): Promise<WholeRun | undefined> {
      const row = await one({ tenant_id, run_id }).selectAll().executeTakeFirst()
      if (row?.run_id !== run_id || row.tenant_id !== tenant_id) return undefined
      const questions = readJson(row.questions) as unknown as Question[]
      return { ...fromRow(row), questions, report: row.report }
    },

    /** Newest first. */
    async list({ limit, offset, ...filter }: RunFilter & Page): Promise<Run[]> {
      const rows = await found(filter)
        .select(listed)
        .orderBy('created_at', 'desc')
        .orderBy('run_id')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(fromRow)
    },

    count: (filter: RunFilter): Promise<number> => countRows(found(filter)),

    /** How many of a user are queued or running in a process that was seen since. */
    countOpen: ({ since, ...user }: { tenant_id: string; user_id: string; since: number }) =>
      countRows(found(user).where('state', 'in', open).where('seen_at', '>=', since)),

    /** Takes one that is interrupted, or whose process was not seen since then, and queues it. */
    async take(run: RunKey, by: { owner: string; now: number; since: number }): Promise<boolean> {
      const { owner, now, since } = by
      const set = { state: 'queued', owner, seen_at: now, ended_at: null, error: null } as const
      await change(run, set)
        .where(({ or, and, eb }) =>
          or([
            eb('state', '=', 'interrupted'),
            and([eb('state', 'in', open), eb('seen_at', '<', since)]),
          ]),
        )
        .execute()
      return isOwn(run, owner)
    },

    /** Says that its process is alive. False where it is not that one's any more. */
    async seen(run: RunKey, { owner, now }: { owner: string; now: number }): Promise<boolean> {
      const own = change(run, { seen_at: now }).where('owner', '=', owner)
      await own.where('state', 'in', open).execute()
      return isOwn(run, owner)
    },

    /** It runs from now on; nothing where it is not queued by that process. */
    async begin(run: RunKey, { owner, now }: { owner: string; now: number }): Promise<void> {
      const row = await one(run).select('started_at').executeTakeFirst()
      const set = { state: 'running', seen_at: now, started_at: row?.started_at ?? now } as const
      const own = change(run, set).where('owner', '=', owner)
      await own.where('state', '=', 'queued').execute()
    },

    /** True for the one caller that ended it. */
    async end(run: RunKey, { state, ended_at, error }: RunEnd): Promise<boolean> {
      const said = error && JSON.stringify(error)
      const set = { state, ended_at, error: said, seen_at: ended_at, owner: '' }
      const query = change(run, set).where('state', 'in', open)
      return (await query.executeTakeFirst()).numUpdatedRows > 0n
    },

    async setReport(run: RunKey, report: string): Promise<void> {
      await change(run, { report }).execute()
    },

    /** With its trials. */
    delete: ({ tenant_id, run_id }: RunKey): Promise<void> =>
      inTransaction(db, async (transaction) => {
        for (const table of ['evaluation_trials', 'evaluation_runs'] as const) {
          const query = transaction.deleteFrom(table).where('tenant_id', '=', tenant_id)
          await query.where('run_id', '=', run_id).execute()
        }
      }),

    /** Deletes at most `limit`, with their trials, that were seen last before then; how many. */
    async deleteOld(before: number, limit: number): Promise<number> {
      const old = await db
        .selectFrom('evaluation_runs')
        .select(['tenant_id', 'run_id'])
        .where('seen_at', '<', before)
        .orderBy('seen_at')
        .limit(limit)
        .execute()
      for (const run of old) await this.delete(run)
      return old.length
    },
  }
}

function isOpen(state: EvaluationState): boolean {
  return state === 'queued' || state === 'running'
}

function fromRow(row: Omit<EvaluationRunRow, 'questions' | 'report'>): Run {
  return {
    ...row,
    settings: row.settings === null ? null : (readJson(row.settings) as EvaluationRunSettings),
    error: row.error === null ? null : (readJson(row.error) as Run['error']),
  }
}
