import { randomUUID } from 'node:crypto'
import type { CheckpointStore } from '@dataagent/schema'
import type { RunnableConfig } from '@langchain/core/runnables'
import {
  type Checkpoint,
  type CheckpointMetadata,
  emptyCheckpoint,
  uuid6,
} from '@langchain/langgraph-checkpoint'
import { type CheckpointSaver, createCheckpointSaver } from './checkpoint-saver.ts'

/** A config of a thread that nobody else has. */
export function aThread(checkpoint_ns = ''): RunnableConfig {
  return { configurable: { thread_id: randomUUID(), checkpoint_ns } }
}

export const threadIdOf = (config: RunnableConfig): string => config.configurable?.thread_id

/** With a version for each value. */
export function aCheckpoint(
  channel_values: Record<string, unknown> = {},
  change: Partial<Checkpoint> = {},
): Checkpoint {
  const versions = Object.keys(channel_values).map((channel) => [channel, 1])
  const channel_versions = Object.fromEntries(versions)
  return { ...emptyCheckpoint(), id: uuid6(3), channel_values, channel_versions, ...change }
}

export const metadata: CheckpointMetadata = { source: 'loop', step: 0, parents: {} }

/** Puts a checkpoint, all of its values new, and answers its config. */
export function put(
  saver: CheckpointSaver,
  config: RunnableConfig,
  checkpoint = aCheckpoint(),
): Promise<RunnableConfig> {
  return saver.put(config, checkpoint, metadata, checkpoint.channel_versions)
}

/** A saver of a tenant without threads. */
export function anEmptySaver(store: CheckpointStore): CheckpointSaver {
  return createCheckpointSaver({ store, tenant_id: randomUUID() })
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
