import { type DatasetInfo, type Question, readJson } from '@dataagent/schema'
import { assertRoom } from '../assert-room.ts'
import { countRows } from '../count-rows.ts'
import { assertId } from '../ids.ts'
import type { Page } from '../sessions.ts'
import { inTransaction } from '../transaction.ts'
import type { EvaluationDatasetRow, PlatformOptions } from './tables.ts'

interface Dataset extends Omit<EvaluationDatasetRow, 'questions'> {
  questions: Question[]
}

const listed = [
  ...['dataset_id', 'name', 'user_id', 'question_count', 'created_at', 'updated_at'],
] as (keyof DatasetInfo)[]
const room = { limit: 'datasets', who: 'the tenant may have', what: 'sets of questions' }

/** Sets of questions, which the users of a tenant share. */
export function createEvaluationDatasets({ db }: PlatformOptions) {
  const all = (tenant_id: string, from = db) =>
    from.selectFrom('evaluation_datasets').where('tenant_id', '=', tenant_id)

  return {
    /** Throws `quota_exceeded` where the tenant has `max`. */
    create: (row: Dataset, { max }: { max: number }): Promise<void> =>
      inTransaction(db, async (transaction) => {
        assertId('dataset_id', row.dataset_id)
        await assertRoom(all(row.tenant_id, transaction), { ...room, max })
        await transaction.insertInto('evaluation_datasets').values(toStored(row)).execute()
      }),

    /** False where it is gone or has changed since `before`, if that is given. */
    async update(row: Dataset, { before }: { before?: number | undefined }): Promise<boolean> {
      const { tenant_id, dataset_id } = row
      const { name, questions, question_count, updated_at } = toStored(row)
      let query = db
        .updateTable('evaluation_datasets')
        .set({ name, questions, question_count, updated_at })
        .where(({ and }) => and({ tenant_id, dataset_id }))
      if (before !== undefined) query = query.where('updated_at', '=', before)
      return (await query.executeTakeFirst()).numUpdatedRows > 0n
    },

    async get(tenant_id: string, dataset_id: string): Promise<Dataset | undefined> {
      const query = all(tenant_id).selectAll().where('dataset_id', '=', dataset_id)
      const row = await query.executeTakeFirst()
      if (row?.dataset_id !== dataset_id || row.tenant_id !== tenant_id) return undefined
      return { ...row, questions: readJson(row.questions) as unknown as Question[] }
    },

    /** By name. */
    list: ({ tenant_id, limit, offset }: { tenant_id: string } & Page): Promise<DatasetInfo[]> =>
      all(tenant_id)
        .select(listed)
        .orderBy('name')
        .orderBy('dataset_id')
        .limit(limit)
        .offset(offset)
        .execute(),

    count: (tenant_id: string): Promise<number> => countRows(all(tenant_id)),

    /** False where there was none. What was run of it stays. */
    async delete(tenant_id: string, dataset_id: string): Promise<boolean> {
      const query = db
        .deleteFrom('evaluation_datasets')
        .where(({ and }) => and({ tenant_id, dataset_id }))
      return (await query.executeTakeFirst()).numDeletedRows > 0n
    },
  }
}

function toStored(row: Dataset): EvaluationDatasetRow {
  return { ...row, questions: JSON.stringify(row.questions) }
}
