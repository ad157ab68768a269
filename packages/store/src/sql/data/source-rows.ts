import { AppError, type SourceFields, type SourceRow, type SourceRows } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import { assertRoom } from '../assert-room.ts'
import { held } from '../held.ts'
import { insertChange } from '../hub/change-rows.ts'
import { assertId } from '../ids.ts'
import { toStorableText } from '../storable-text.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { inTurn } from './in-turn.ts'
import type { DataRowsOptions, SourceColumns } from './tables.ts'

const room = { limit: 'data_sources', who: 'the tenant may have', what: 'data sources' }

/** Where data comes from, in `data_sources`. */
export function createSourceRows({ db, engine }: DataRowsOptions): SourceRows {
  return {
    async list(tenant_id) {
      const rows = ofTenant(db, tenant_id).selectAll().orderBy('name_key')
      return (await rows.execute()).map(fromColumns)
    },

    async get(tenant_id, source_id) {
      const query = ofTenant(db, tenant_id).where('source_id', '=', source_id).selectAll()
      const row = await query.executeTakeFirst()
      // MySQL finds `a` by `a ` too.
      return row?.source_id === source_id && row.tenant_id === tenant_id
        ? fromColumns(row)
        : undefined
    },

    async create(row, { max, note }) {
      const { tenant_id, source_id } = row
      for (const [field, id] of Object.entries({ tenant_id, source_id })) assertId(field, id)
      const stored = toColumns(row)
      await inTurn({ db, engine }, async (transaction) => {
        await assertRoom(ofTenant(transaction, tenant_id), { ...room, max })
        await assertFree(transaction, row)
        await transaction.insertInto('data_sources').values(stored).execute()
        await insertChange(transaction, note, null)
      })
    },

    async update(tenant_id, source_id, fields, { ifUpdatedAt, note } = {}) {
      const key = { tenant_id, source_id }
      const change = toChange(fields)
      return inTransaction(db, async (transaction) => {
        const own = transaction.selectFrom('data_sources').where(({ and }) => and(key))
        const row = await held(engine.kind, own.selectAll()).executeTakeFirst()
        if (row === undefined) throw new AppError('not_found', `there is no source ${source_id}`)
        if (ifUpdatedAt !== undefined && row.updated_at !== ifUpdatedAt) {
          throw new AppError('conflict', `the source ${source_id} has been changed meanwhile`)
        }
        if (Object.keys(change).length === 0) return fromColumns(row)
        if (fields.name !== undefined) await assertFree(transaction, { ...key, name: fields.name })
        const update = transaction.updateTable('data_sources').set(change)
        await update.where(({ and }) => and(key)).execute()
        await insertChange(transaction, note, null)
        return fromColumns({ ...row, ...change })
      })
    },

    delete: (tenant_id, source_id, { note } = {}) =>
      inTransaction(db, async (transaction) => {
        const key = { tenant_id, source_id }
        const source = transaction.deleteFrom('data_sources').where(({ and }) => and(key))
        const { numDeletedRows } = await source.executeTakeFirst()
        for (const table of ['data_definitions', 'data_questions'] as const) {
          await transaction
            .deleteFrom(table)
            .where(({ and }) => and(key))
            .execute()
        }
        const isGone = numDeletedRows > 0n
        if (isGone) await insertChange(transaction, note, null)
        return isGone
      }),
  }
}

function ofTenant(db: Kysely<Database>, tenant_id: string) {
  return db.selectFrom('data_sources').where('tenant_id', '=', tenant_id)
}

/** Says what is wrong; of two at the same moment the index refuses the second. */
async function assertFree(
  db: Kysely<Database>,
  { tenant_id, source_id, name }: Pick<SourceRow, 'tenant_id' | 'source_id' | 'name'>,
): Promise<void> {
  const same = ofTenant(db, tenant_id).where('name_key', '=', toNameKey(name))
  const other = await same.where('source_id', '<>', source_id).select('name').executeTakeFirst()
  if (other === undefined) return
  throw new AppError('conflict', `there is a data source with the name ${other.name} already`)
}

/** The databases differ in what they hold for the same letter. */
function toNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function toColumns(row: SourceRow): SourceColumns {
  return { ...row, ...toChange(row) } as SourceColumns
}

function toChange({ enabled, read_only, ...fields }: SourceFields): Partial<SourceColumns> {
  const { name, description, status_text } = fields
  const change: Partial<SourceColumns> = { ...fields }
  if (name !== undefined) {
    assertId('name', name)
    change.name_key = toNameKey(name)
    assertId('name', change.name_key)
  }
  if (description !== undefined) change.description = toStorableText(description)
  if (typeof status_text === 'string') change.status_text = toStorableText(status_text)
  if (enabled !== undefined) change.enabled = Number(enabled)
  if (read_only !== undefined) change.read_only = read_only === null ? null : Number(read_only)
  return change
}

function fromColumns({ name_key, enabled, read_only, ...row }: SourceColumns): SourceRow {
  return {
    ...row,
    enabled: Boolean(enabled),
    read_only: read_only === null ? null : Boolean(read_only),
  }
}
