import { type CheckpointRow, type CheckpointStore, readJson } from '@dataagent/schema'
import type { Transaction } from 'kysely'
import { held } from '../held.ts'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { assertThread, toHistoryId } from './histories.ts'
import { hashesOf, inBatches } from './parts.ts'
import type { CheckpointRowsOptions } from './tables.ts'

const rowsPerDelete = 200

export function createCheckpointRemovals({
  db,
  engine: { kind },
}: CheckpointRowsOptions): Pick<CheckpointStore, 'deleteBefore' | 'deleteThread'> {
  return {
    async deleteBefore(history, checkpoint_id) {
      assertId('checkpoint_id', checkpoint_id)
      const history_id = toHistoryId(history)
      return inTransaction(db, async (transaction) => {
        const rows = transaction.selectFrom('checkpoint_histories').select('history_id')
        await held(kind, rows.where('history_id', '=', history_id)).execute()
        let deleted = 0n
        for (const table of ['checkpoint_writes', 'checkpoints'] as const) {
          const older = transaction.deleteFrom(table).where('history_id', '=', history_id)
          const done = await older.where('checkpoint_id', '<', checkpoint_id).executeTakeFirst()
          deleted = done.numDeletedRows
        }
        await deleteValues(transaction, history_id)
        await deleteParts(transaction, history_id)
        return Number(deleted)
      })
    },

    async deleteThread(tenant_id, thread_id) {
      assertThread(tenant_id, thread_id)
      await inTransaction(db, async (transaction) => {
        const rows = transaction.selectFrom('checkpoint_histories').select('history_id')
        const own = rows.where(({ and }) => and({ tenant_id, thread_id })).orderBy('history_id')
        const found = (await held(kind, own).execute()).map(({ history_id }) => history_id)
        for (const batch of inBatches(found, rowsPerDelete)) {
          for (const table of tables) {
            await transaction.deleteFrom(table).where('history_id', 'in', batch).execute()
          }
        }
      })
    },
  }
}

const tables = [
  'checkpoint_writes',
  'checkpoint_values',
  'checkpoint_parts',
  'checkpoints',
  'checkpoint_histories',
] as const

/** Of versions that no checkpoint has. */
async function deleteValues(transaction: Transaction<Database>, history_id: string) {
  const kept = transaction.selectFrom('checkpoints').select('channel_versions')
  const used = new Set<string>()
  for (const row of await kept.where('history_id', '=', history_id).execute()) {
    const versions = readJson(row.channel_versions) as CheckpointRow['channel_versions']
    for (const [channel, version] of Object.entries(versions)) used.add(`${channel}\n${version}`)
  }
  const values = transaction.selectFrom('checkpoint_values').select(['channel', 'version'])
  const all = await values.where('history_id', '=', history_id).execute()
  const unused = all.filter(({ channel, version }) => !used.has(`${channel}\n${version}`))
  for (const batch of inBatches(unused, rowsPerDelete)) {
    const own = transaction.deleteFrom('checkpoint_values').where('history_id', '=', history_id)
    await own.where(({ and, or }) => or(batch.map((key) => and(key)))).execute()
  }
}

/** Of no value and no write. */
async function deleteParts(transaction: Transaction<Database>, history_id: string) {
  const used = new Set<string>()
  for (const table of ['checkpoint_values', 'checkpoint_writes'] as const) {
    const split = transaction.selectFrom(table).select('parts').where('parts', '<>', '')
    const found = await split.where('history_id', '=', history_id).execute()
    for (const hash of found.flatMap(({ parts }) => hashesOf(parts))) used.add(hash)
  }
  const parts = transaction.selectFrom('checkpoint_parts').select('hash')
  const all = await parts.where('history_id', '=', history_id).execute()
  const unused = all.map(({ hash }) => hash).filter((hash) => !used.has(hash))
  for (const batch of inBatches(unused, rowsPerDelete)) {
    const own = transaction.deleteFrom('checkpoint_parts').where('history_id', '=', history_id)
    await own.where('hash', 'in', batch).execute()
  }
}
