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
} from '@langchain/langgraph-checkpoint'

/**
 * Keeps a thread in `saver`, but not the steps of a graph that runs within one call of a tool, as a
 * sub-agent does: nothing goes on with those, and they would stay for ever.
 */
export function createThreadSaver(saver: BaseCheckpointSaver): BaseCheckpointSaver {
  return new ThreadSaver(saver)
}

/** LangGraph names what belongs to one task by the task's id, behind a colon. */
function isOfOneTask({ configurable }: RunnableConfig): boolean {
  return String(configurable?.checkpoint_ns ?? '').includes(':')
}

class ThreadSaver extends BaseCheckpointSaver {
  readonly #saver: BaseCheckpointSaver

  constructor(saver: BaseCheckpointSaver) {
    super(saver.serde)
    this.#saver = saver
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return isOfOneTask(config) ? undefined : this.#saver.getTuple(config)
  }

  override list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    return this.#saver.list(config, options)
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    if (!isOfOneTask(config)) return this.#saver.put(config, checkpoint, metadata, newVersions)
    const { thread_id, checkpoint_ns } = config.configurable ?? {}
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } }
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
  ): Promise<void> {
    if (!isOfOneTask(config)) await this.#saver.putWrites(config, writes, taskId)
  }

  override deleteThread(threadId: string): Promise<void> {
    return this.#saver.deleteThread(threadId)
  }

  override getDeltaChannelHistory(options: {
    config: RunnableConfig
    channels: string[]
  }): Promise<Record<string, DeltaChannelHistory>> {
    return this.#saver.getDeltaChannelHistory(options)
  }

  override getNextVersion(current: number | undefined): number {
    return this.#saver.getNextVersion(current)
  }
}
