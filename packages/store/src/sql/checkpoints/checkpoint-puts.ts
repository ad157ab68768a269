import type {
  ChannelValue,
  CheckpointHistory,
  CheckpointRow,
  CheckpointStore,
  CheckpointWrite,
} from '@dataagent/schema'
import type { Transaction } from 'kysely'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import { holdHistory } from './histories.ts'
import { assertSize, inBatches, type Split, split, storeParts } from './parts.ts'
import type { CheckpointRowsOptions } from './tables.ts'
import { upsert } from './upsert.ts'

/** Of what is stored in one piece. */
const maxTextBytes = 1024 * 1024
const rowsPerInsert = 8

export function createCheckpointPuts({
  db,
  engine: { kind },
}: CheckpointRowsOptions): Pick<CheckpointStore, 'put' | 'putWrites'> {
  /** With the history held and the parts of all values stored. */
  function inHistory(
    history: CheckpointHistory,
    values: readonly Split[],
    work: (transaction: Transaction<Database>, history_id: string) => Promise<void>,
  ): Promise<void> {
    return inTransaction(db, async (transaction) => {
      const history_id = await holdHistory(transaction, kind, history)
      await storeParts(transaction, history_id, values)
      await work(transaction, history_id)
    })
  }

  return {
    async put(row, values) {
      const checkpoint = toStoredCheckpoint(row)
      const rows = values.map(splitValue)
      await inHistory(row, rows, async (transaction, history_id) => {
        for (const batch of inBatches(rows, rowsPerInsert)) {
          await upsert({ transaction, kind }, 'checkpoint_values', {
            rows: batch.map(({ bytesOf, ...value }) => ({ history_id, ...value })),
            key: ['history_id', 'channel', 'version'],
            set: ['history_id'],
          })
        }
        await upsert({ transaction, kind }, 'checkpoints', {
          rows: [{ history_id, ...checkpoint }],
          key: ['history_id', 'checkpoint_id'],
          set: [
            ...(['parent_checkpoint_id', 'channel_versions', 'checkpoint'] as const),
            ...(['metadata_type', 'metadata'] as const),
          ],
        })
      })
    },

    async putWrites(history, checkpoint_id, writes) {
      assertId('checkpoint_id', checkpoint_id)
      const rows = writes.map(splitWrite)
      const later = rows.filter(({ idx }) => idx < 0)
      const first = rows.filter(({ idx }) => idx >= 0)
      await inHistory(history, rows, async (transaction, history_id) => {
        for (const [chosen, set] of [
          [later, ['channel', 'type', 'parts', 'tail']],
          [first, ['history_id']],
        ] as const) {
          for (const batch of inBatches(chosen, rowsPerInsert)) {
            await upsert({ transaction, kind }, 'checkpoint_writes', {
              rows: batch.map(({ bytesOf, ...write }) => ({ history_id, checkpoint_id, ...write })),
              key: ['history_id', 'checkpoint_id', 'task_id', 'idx'],
              set,
            })
          }
        }
      })
    },
  }
}

function toStoredCheckpoint(row: CheckpointRow) {
  const { checkpoint_id, parent_checkpoint_id, checkpoint, metadata } = row
  const channel_versions = JSON.stringify(row.channel_versions)
  assertId('checkpoint_id', checkpoint_id)
  if (parent_checkpoint_id !== null) assertId('parent checkpoint_id', parent_checkpoint_id)
  assertSize('a checkpoint', Buffer.byteLength(checkpoint + channel_versions), maxTextBytes)
  assertSize('the metadata of a checkpoint', metadata.bytes.length, maxTextBytes)
  return {
    ...{ checkpoint_id, parent_checkpoint_id, channel_versions, checkpoint },
    metadata_type: metadata.type,
    metadata: metadata.bytes,
  }
}

function splitValue({ channel, version, ...value }: ChannelValue) {
  assertId('a channel', channel)
  assertId('the version of a channel', `${version}`)
  return { channel, version: `${version}`, ...split(`the value of channel ${channel}`, value) }
}

function splitWrite({ task_id, idx, channel, ...value }: CheckpointWrite) {
  assertId('task_id', task_id)
  assertId('a channel', channel)
  return { task_id, idx, channel, ...split(`what was written to channel ${channel}`, value) }
}
