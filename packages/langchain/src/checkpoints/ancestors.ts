import type { CheckpointRow, CheckpointStore } from '@dataagent/schema'
import type { CheckpointPendingWrite, DeltaChannelHistory } from '@langchain/langgraph-checkpoint'
import { isOld, type Reading, readMetadata, readWrites } from './read-tuple.ts'
import { versionsOf } from './rows.ts'
import { deserialize } from './serialize.ts'

/** What channels that store only changes are made of: the last whole value, the changes since. */
export async function readDeltaHistory(
  reading: Reading,
  from: CheckpointRow | undefined,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  const found = new Map(channels.map((channel) => [channel, emptyHistory()]))
  const open = new Set(channels)
  for await (const row of from ? ancestorsOf(reading.store, from) : []) {
    const writes = await readWrites(reading, row, row.checkpoint_id)
    for (const channel of open) found.get(channel)?.writes.unshift(...onlyOf(writes, channel))
    for (const value of await storedValues(reading.store, row, open)) {
      found.get(value.channel)!.seed = await deserialize(reading.serde, value)
      open.delete(value.channel)
    }
    if (open.size === 0) break
  }
  return Object.fromEntries(found)
}

/** The oldest checkpoint that must stay for this one to be read whole. */
export async function oldestNeeded(reading: Reading, row: CheckpointRow): Promise<string> {
  const { counters_since_delta_snapshot: counters = {} } = await readMetadata(reading, row)
  const open = new Set(Object.keys(counters))
  for (const { channel } of await storedValues(reading.store, row, open)) open.delete(channel)
  let oldest = isOld(row) ? row.parent_checkpoint_id! : row.checkpoint_id
  if (open.size === 0) return oldest
  for await (const ancestor of ancestorsOf(reading.store, row)) {
    if (ancestor.checkpoint_id < oldest) oldest = ancestor.checkpoint_id
    const values = await storedValues(reading.store, ancestor, open)
    for (const { channel } of values) open.delete(channel)
    if (open.size === 0) break
  }
  return oldest
}

/** The parent, its parent, and so on. */
async function* ancestorsOf(
  store: CheckpointStore,
  from: CheckpointRow,
): AsyncGenerator<CheckpointRow> {
  let row: CheckpointRow | undefined = from
  while (row && row.parent_checkpoint_id !== null) {
    row = await store.get(row, row.parent_checkpoint_id)
    if (row) yield row
  }
}

function storedValues(store: CheckpointStore, row: CheckpointRow, channels: ReadonlySet<string>) {
  const wanted = versionsOf(row).filter(({ channel }) => channels.has(channel))
  return store.values(row, wanted)
}

const emptyHistory = (): DeltaChannelHistory => ({ writes: [] })

function onlyOf(writes: readonly CheckpointPendingWrite[], wanted: string) {
  return writes.filter(([, channel]) => channel === wanted)
}
