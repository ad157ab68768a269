import {
  type ChannelValue,
  type ChannelVersion,
  type CheckpointHistory,
  type CheckpointRow,
  type CheckpointWrite,
  readJson,
} from '@dataagent/schema'
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint'
import { serialize } from './serialize.ts'

/** A checkpoint apart from the values and versions of its channels. */
export type Frame = Pick<Checkpoint, 'v' | 'ts' | 'versions_seen'>

export interface Put {
  history: CheckpointHistory
  parent_checkpoint_id: string | null
  checkpoint: Checkpoint
  metadata: CheckpointMetadata
}

export async function toRow(serde: SerializerProtocol, put: Put): Promise<CheckpointRow> {
  const { v, id, ts, channel_versions, versions_seen } = put.checkpoint
  const frame: Frame = { v, ts, versions_seen }
  return {
    ...put.history,
    checkpoint_id: id,
    parent_checkpoint_id: put.parent_checkpoint_id,
    channel_versions,
    checkpoint: JSON.stringify(frame),
    metadata: await serialize(serde, put.metadata),
  }
}

export const frameOf = ({ checkpoint }: CheckpointRow): Frame => readJson(checkpoint) as Frame

export function versionsOf({ channel_versions }: CheckpointRow): ChannelVersion[] {
  return Object.entries(channel_versions).map(([channel, version]) => ({ channel, version }))
}

/** The values that changed, where there are any: a channel that was emptied has none. */
export function toValues(
  serde: SerializerProtocol,
  { channel_values }: Checkpoint,
  newVersions: ChannelVersions,
): Promise<ChannelValue[]> {
  const changed = Object.entries(newVersions).filter(([name]) =>
    Object.hasOwn(channel_values, name),
  )
  return Promise.all(
    changed.map(async ([channel, version]) => ({
      channel,
      version,
      ...(await serialize(serde, channel_values[channel])),
    })),
  )
}

export async function toWrites(
  serde: SerializerProtocol,
  task_id: string,
  writes: readonly PendingWrite[],
): Promise<CheckpointWrite[]> {
  const rows = await Promise.all(
    writes.map(async ([channel, value], position) => ({
      task_id,
      idx: Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel]! : position,
      channel,
      ...(await serialize(serde, value)),
    })),
  )
  return [...new Map(rows.map((row) => [row.idx, row])).values()]
}
