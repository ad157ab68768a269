import { readJson, type Trial, type TrialCounts, type TrialStatus } from '@dataagent/schema'
import { countRows } from '../count-rows.ts'
import type { Page } from '../sessions.ts'
import { inTransaction } from '../transaction.ts'
import type { EvaluationTrialRow, PlatformOptions } from './tables.ts'

type RunKey = Pick<EvaluationTrialRow, 'tenant_id' | 'run_id'>

interface TrialFilter {
  status?: TrialStatus | undefined
  question_id?: string | undefined
}

/** So many at once, as every database takes parameters of one statement. */
const batchSize = 200

/** What was asked in a run, in the order in which it ended. */
export function createEvaluationTrials({ db }: PlatformOptions) {
  function found({ tenant_id, run_id }: RunKey, filter: TrialFilter = {}) {
    let query = db.selectFrom('evaluation_trials').where(({ and }) => and({ tenant_id, run_id }))
    for (const column of ['status', 'question_id'] as const) {
      const value = filter[column]
      if (value !== undefined) query = query.where(column, '=', value)
    }
    return query
  }

  return {
    /** Durable once resolved. `seq` counts from 0; throws `conflict` for one that is there. */
    add: (run: RunKey, seq: number, trials: readonly Trial[]): Promise<void> =>
      inTransaction(db, async (transaction) => {
        for (let at = 0; at < trials.length; at += batchSize) {
          const rows = trials
            .slice(at, at + batchSize)
            .map((trial, index) => toRow(run, seq + at + index, trial))
          await transaction.insertInto('evaluation_trials').values(rows).execute()
        }
      }),

    async list(run: RunKey, { limit, offset, ...filter }: TrialFilter & Page): Promise<Trial[]> {
      const query = found(run, filter).select('json').orderBy('seq').limit(limit).offset(offset)
      return (await query.execute()).map(({ json }) => readJson(json) as unknown as Trial)
    },

    count: (run: RunKey, filter: TrialFilter): Promise<number> => countRows(found(run, filter)),

    /** Of all of them, the oldest first, what a look at the run needs. */
    outline: (run: RunKey): Promise<Pick<Trial, 'question_id' | 'status'>[]> =>
      found(run).select(['question_id', 'status']).orderBy('seq').execute(),

    async countsOf(
      tenant_id: string,
      run_ids: readonly string[],
    ): Promise<Map<string, TrialCounts>> {
      const counts = new Map(run_ids.map((run_id) => [run_id, noTrials()]))
      if (run_ids.length === 0) return counts
      const rows = await db
        .selectFrom('evaluation_trials')
        .select(({ fn }) => ['run_id', 'status', fn.countAll().as('n')])
        .where('tenant_id', '=', tenant_id)
        .where('run_id', 'in', run_ids)
        .groupBy(['run_id', 'status'])
        .execute()
      for (const { run_id, status, n } of rows) {
        const of = counts.get(run_id)
        if (of === undefined) continue
        of[status] += Number(n)
        of.total += Number(n)
      }
      return counts
    },
  }
}

const noTrials = (): TrialCounts => ({ total: 0, passed: 0, failed: 0, error: 0, timeout: 0 })

function toRow({ tenant_id, run_id }: RunKey, seq: number, trial: Trial): EvaluationTrialRow {
  const { question_id, status } = trial
  return { tenant_id, run_id, seq, question_id, status, json: JSON.stringify(trial) }
}
