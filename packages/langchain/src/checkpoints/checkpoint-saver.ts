import { isDeepStrictEqual } from 'node:util'
import type { CheckpointRow, CheckpointStore } from '@dataagent/schema'
import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint'
import { readDeltaHistory } from './ancestors.ts'
import { assertText, checkpointIdOf, toConfig, toHistory } from './config.ts'
import { createNextVersion } from './next-version.ts'
import { type PruneOptions, pruneThread } from './prune-thread.ts'
import { type Reading, readMetadata, readTuple } from './read-tuple.ts'
import { toRow, toValues, toWrites } from './rows.ts'

export interface CheckpointSaverOptions {
  /** `checkpoints` of an SQL store, for one. */
  store: CheckpointStore
  /** Whose threads these are: those of another tenant are not there for this saver. */
  tenant_id?: string
  /** LangGraph's own where none is given. */
  serde?: SerializerProtocol
}

/** Keeps the state of LangGraph's threads in our store. Throws as `CheckpointStore` does. */
export interface CheckpointSaver extends BaseCheckpointSaver {
  /**
   * Removes all but the newest checkpoints of a thread, with the values and writes that nothing
   * refers to any more, and answers how many. What those that stay are made of stays too.
   */
  prune(thread_id: string, options: PruneOptions): Promise<number>
}

export function createCheckpointSaver(options: CheckpointSaverOptions): CheckpointSaver {
  return new StoreCheckpointSaver(options)
}

const rowsPerPage = 100

class StoreCheckpointSaver extends BaseCheckpointSaver implements CheckpointSaver {
  readonly #store: CheckpointStore
  readonly #tenant_id: string
  readonly #nextVersion = createNextVersion()

  constructor({ store, tenant_id = '', serde }: CheckpointSaverOptions) {
    super(serde)
    this.#store = store
    this.#tenant_id = tenant_id
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const row = await this.#find(config)
    return row && readTuple(this.#reading, row)
  }

  override async *list(
    config: RunnableConfig,
    { before, limit = Number.POSITIVE_INFINITY, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    let left = limit
    for await (const row of this.#rows(config, before)) {
      if (left <= 0) return
      if (!hasAll(await readMetadata(this.#reading, row), filter)) continue
      const tuple = await readTuple(this.#reading, row)
      if (tuple === undefined) continue
      yield tuple
      left -= 1
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const history = toHistory(this.#tenant_id, config)
    const parent_checkpoint_id = checkpointIdOf(config) ?? null
    const row = await toRow(this.serde, { history, parent_checkpoint_id, checkpoint, metadata })
    await this.#store.put(row, await toValues(this.serde, checkpoint, newVersions))
    return toConfig(history, checkpoint.id)
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
  ): Promise<void> {
    const history = toHistory(this.#tenant_id, config)
    const checkpoint_id = checkpointIdOf(config)
    assertText('checkpoint_id', checkpoint_id)
    if (writes.length === 0) return
    const rows = await toWrites(this.serde, taskId, writes)
    await this.#store.putWrites(history, checkpoint_id, rows)
  }

  override deleteThread(threadId: string): Promise<void> {
    return this.#store.deleteThread(this.#tenant_id, threadId)
  }

  override async getDeltaChannelHistory({
    config,
    channels,
  }: {
    config: RunnableConfig
    channels: string[]
  }): Promise<Record<string, DeltaChannelHistory>> {
    const row = channels.length > 0 ? await this.#find(config) : undefined
    return readDeltaHistory(this.#reading, row, channels)
  }

  override getNextVersion(current: number | undefined): number {
    return this.#nextVersion(current)
  }

  prune(thread_id: string, options: PruneOptions): Promise<number> {
    return pruneThread(this.#reading, { tenant_id: this.#tenant_id, thread_id }, options)
  }

  get #reading(): Reading {
    return { store: this.#store, serde: this.serde }
  }

  /** LangGraph asks without a thread too. */
  async #find(config: RunnableConfig): Promise<CheckpointRow | undefined> {
    if (config.configurable?.thread_id === undefined) return undefined
    return this.#store.get(toHistory(this.#tenant_id, config), checkpointIdOf(config))
  }

  async *#rows(config: RunnableConfig, before = {} as RunnableConfig) {
    const { thread_id, checkpoint_ns } = config.configurable ?? {}
    const query = {
      tenant_id: this.#tenant_id,
      thread_id,
      checkpoint_ns,
      checkpoint_id: checkpointIdOf(config),
      before: checkpointIdOf(before),
      limit: rowsPerPage,
    }
    let page = await this.#store.list(query)
    while (page.length > 0) {
      yield* page
      if (page.length < rowsPerPage) return
      page = await this.#store.list({ ...query, after: page.at(-1) })
    }
  }
}

function hasAll(metadata: CheckpointMetadata, filter: Record<string, unknown>): boolean {
  const values = metadata as Record<string, unknown>
  return Object.entries(filter).every(([key, value]) => isDeepStrictEqual(values[key], value))
}
