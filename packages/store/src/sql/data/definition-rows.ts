import type { DefinitionRows } from '@dataagent/schema'
import { assertRoom } from '../assert-room.ts'
import { insertChange } from '../hub/change-rows.ts'
import { assertId } from '../ids.ts'
import { toStorableText } from '../storable-text.ts'
import { inTransaction } from '../transaction.ts'
import { inTurn } from './in-turn.ts'
import type { DataRowsOptions, DefinitionColumns } from './tables.ts'

const room = { limit: 'data_definitions', who: 'the tenant may have', what: 'definitions' }

/** What words mean, in `data_definitions`. */
export function createDefinitionRows({ db, engine }: DataRowsOptions): DefinitionRows {
  return {
    list: (tenant_id) =>
      db
        .selectFrom('data_definitions')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .orderBy('term')
        .orderBy('definition_id')
        .execute(),

    async put(row, { max, note }) {
      const { tenant_id, definition_id, source_id } = row
      for (const [field, id] of Object.entries({ tenant_id, definition_id })) assertId(field, id)
      const texts = { term: toStorableText(row.term), meaning: toStorableText(row.meaning) }
      const stored: DefinitionColumns = { tenant_id, definition_id, source_id, ...texts }
      await inTurn({ db, engine }, async (transaction) => {
        const all = transaction.selectFrom('data_definitions').where('tenant_id', '=', tenant_id)
        await assertRoom(all.where('definition_id', '<>', definition_id), { ...room, max })
        const before = transaction.deleteFrom('data_definitions')
        await before.where(({ and }) => and({ tenant_id, definition_id })).execute()
        await transaction.insertInto('data_definitions').values(stored).execute()
        await insertChange(transaction, note, null)
      })
    },

    delete: (tenant_id, definition_id, { note } = {}) =>
      inTransaction(db, async (transaction) => {
        const query = transaction.deleteFrom('data_definitions')
        const own = query.where(({ and }) => and({ tenant_id, definition_id }))
        const isGone = (await own.executeTakeFirst()).numDeletedRows > 0n
        if (isGone) await insertChange(transaction, note, null)
        return isGone
      }),
  }
}
