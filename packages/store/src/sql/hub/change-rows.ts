import type { ChangeRows, NewChange } from '@dataagent/hub'
import type { Transaction } from 'kysely'
import type { Database } from '../tables.ts'
import type { HubRowsOptions } from './hub-store.ts'

/** What was changed in the governed tool layer, and by whom. */
export function createChangeRows({ db }: HubRowsOptions): ChangeRows {
  return {
    query({ tenant_id, from, to, limit, offset, ...equal }) {
      let select = db.selectFrom('hub_changes').selectAll().where('tenant_id', '=', tenant_id)
      for (const column of ['kind', 'target', 'user_id'] as const) {
        const value = equal[column]
        if (value !== undefined) select = select.where(column, '=', value)
      }
      if (from !== undefined) select = select.where('changed_at', '>=', from)
      if (to !== undefined) select = select.where('changed_at', '<=', to)
      const ordered = select.orderBy('changed_at', 'desc').orderBy('revision', 'desc')
      return ordered.orderBy('change_id', 'desc').limit(limit).offset(offset).execute()
    },
  }
}

/** Stores the note of a change, if there is one, with the change. */
export async function insertChange(
  transaction: Transaction<Database>,
  note: NewChange | undefined,
  revision: number | null,
): Promise<void> {
  if (note === undefined) return
  await transaction
    .insertInto('hub_changes')
    .values({ ...note, revision })
    .execute()
}
