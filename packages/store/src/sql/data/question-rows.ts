import { type QuestionRows, readJson, type StoredQuestion } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import { assertRoom } from '../assert-room.ts'
import { insertChange } from '../hub/change-rows.ts'
import { assertId } from '../ids.ts'
import { toStorableText } from '../storable-text.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { inTurn } from './in-turn.ts'
import type { DataRowsOptions, QuestionColumns } from './tables.ts'

/** Questions with their queries, in `data_questions`. */
export function createQuestionRows({ db, engine }: DataRowsOptions): QuestionRows {
  return {
    async list(tenant_id, user_id) {
      const rows = await db
        .selectFrom('data_questions')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .where(({ eb, or }) =>
          or([
            eb('owner_user_id', 'is', null),
            ...(user_id === null ? [] : [eb('owner_user_id', '=', user_id)]),
          ]),
        )
        .orderBy('updated_at', 'desc')
        .orderBy('question_id')
        .execute()
      return rows.map(fromColumns)
    },

    async get(tenant_id, question_id) {
      const query = db.selectFrom('data_questions').selectAll()
      const own = query.where(({ and }) => and({ tenant_id, question_id }))
      const row = await own.executeTakeFirst()
      return row?.question_id === question_id && row.tenant_id === tenant_id
        ? fromColumns(row)
        : undefined
    },

    async put(row, { max, note }) {
      const { tenant_id, question_id, source_id, owner_user_id } = row
      for (const [field, id] of Object.entries({ tenant_id, question_id, source_id })) {
        assertId(field, id)
      }
      const stored = toColumns(row)
      await inTurn({ db, engine }, async (transaction) => {
        const others = ofOwner(transaction, row).where('question_id', '<>', question_id)
        const who = owner_user_id === null ? 'the tenant may have' : 'a user may have'
        await assertRoom(others, { limit: 'data_questions', who, what: 'questions', max })
        const before = transaction.deleteFrom('data_questions')
        await before.where(({ and }) => and({ tenant_id, question_id })).execute()
        await transaction.insertInto('data_questions').values(stored).execute()
        await insertChange(transaction, note, null)
      })
    },

    delete: (tenant_id, question_id, { note } = {}) =>
      inTransaction(db, async (transaction) => {
        const query = transaction.deleteFrom('data_questions')
        const own = query.where(({ and }) => and({ tenant_id, question_id }))
        const isGone = (await own.executeTakeFirst()).numDeletedRows > 0n
        if (isGone) await insertChange(transaction, note, null)
        return isGone
      }),
  }
}

function ofOwner(
  db: Kysely<Database>,
  { tenant_id, owner_user_id }: Pick<StoredQuestion, 'tenant_id' | 'owner_user_id'>,
) {
  const all = db.selectFrom('data_questions').where('tenant_id', '=', tenant_id)
  return owner_user_id === null
    ? all.where('owner_user_id', 'is', null)
    : all.where('owner_user_id', '=', owner_user_id)
}

/** Without fields that a newer version may have added. */
function toColumns(row: StoredQuestion): QuestionColumns {
  const { tenant_id, question_id, source_id, owner_user_id, updated_at } = row
  return {
    ...{ tenant_id, question_id, source_id, owner_user_id, updated_at },
    question: toStorableText(row.question),
    also: JSON.stringify(row.also),
    note: row.note === undefined ? null : toStorableText(row.note),
    sql: toStorableText(row.sql),
    verified: Number(row.verified),
  }
}

function fromColumns({ also, note, verified, ...row }: QuestionColumns): StoredQuestion {
  return {
    ...{ ...row, also: readJson(also) as string[], verified: Boolean(verified) },
    ...(note !== null && { note }),
  }
}
