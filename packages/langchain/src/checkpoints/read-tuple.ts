import type { CheckpointRow, CheckpointStore } from '@dataagent/schema'
import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  maxChannelVersion,
  type SerializerProtocol,
  TASKS,
} from '@langchain/langgraph-checkpoint'
import { toConfig, toParentConfig } from './config.ts'
import { frameOf, versionsOf } from './rows.ts'
import { deserialize } from './serialize.ts'

export interface Reading {
  store: CheckpointStore
  serde: SerializerProtocol
}

/** The whole checkpoint; undefined where it was removed meanwhile. */
export async function readTuple(
  reading: Reading,
  row: CheckpointRow,
): Promise<CheckpointTuple | undefined> {
  const channel_values = await readValues(reading, row)
  if (channel_values === undefined) return undefined
  const { checkpoint_id: id, channel_versions } = row
  const checkpoint: Checkpoint = { ...frameOf(row), id, channel_versions, channel_values }
  if (isOld(row)) await addPendingSends(reading, row, checkpoint)
  const parentConfig = toParentConfig(row)
  return {
    config: toConfig(row, id),
    checkpoint,
    metadata: await readMetadata(reading, row),
    pendingWrites: await readWrites(reading, row, id),
    ...(parentConfig && { parentConfig }),
  }
}

export function readMetadata({ serde }: Reading, row: CheckpointRow): Promise<CheckpointMetadata> {
  return deserialize(serde, row.metadata) as Promise<CheckpointMetadata>
}

/** By task, then by index. */
export async function readWrites(
  { store, serde }: Reading,
  row: CheckpointRow,
  checkpoint_id: string,
): Promise<CheckpointPendingWrite[]> {
  const writes = await store.writes(row, checkpoint_id)
  return Promise.all(
    writes.map(
      async (write): Promise<CheckpointPendingWrite> => [
        write.task_id,
        write.channel,
        await deserialize(serde, write),
      ],
    ),
  )
}

/** Formats before the fourth kept what is to be sent next with the checkpoint before. */
export function isOld(row: CheckpointRow): boolean {
  return frameOf(row).v < 4 && row.parent_checkpoint_id !== null
}

async function readValues({ store, serde }: Reading, row: CheckpointRow) {
  const wanted = versionsOf(row)
  const values = await store.values(row, wanted)
  const mayBeGone = values.length < wanted.length
  if (mayBeGone && !(await store.get(row, row.checkpoint_id))) return undefined
  const read = values.map(
    async (value) => [value.channel, await deserialize(serde, value)] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}

async function addPendingSends(reading: Reading, row: CheckpointRow, checkpoint: Checkpoint) {
  const writes = await readWrites(reading, row, row.parent_checkpoint_id!)
  const sends = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value)
  const versions = Object.values(checkpoint.channel_versions)
  const version = versions.length > 0 ? maxChannelVersion(...versions) : 1
  checkpoint.channel_values = { ...checkpoint.channel_values, [TASKS]: sends }
  checkpoint.channel_versions = { ...checkpoint.channel_versions, [TASKS]: version }
}
