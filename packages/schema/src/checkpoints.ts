/** The checkpoints of one thread in one namespace, oldest to newest by their ids. */
export interface CheckpointHistory {
  /** Whose thread it is; empty where there are no tenants. */
  tenant_id: string
  thread_id: string
  checkpoint_ns: string
}

/** What a serializer made, and the name by which it reads it again. */
export interface SerializedValue {
  type: string
  bytes: Uint8Array
}

/** A checkpoint without the values of its channels, which it shares with its neighbours. */
export interface CheckpointRow extends CheckpointHistory {
  checkpoint_id: string
  parent_checkpoint_id: string | null
  channel_versions: Record<string, string | number>
  /** What else the checkpoint holds, as JSON. */
  checkpoint: string
  metadata: SerializedValue
}

export interface ChannelVersion {
  channel: string
  version: string | number
}

export interface ChannelValue extends ChannelVersion, SerializedValue {}

/** What a task wrote on top of a checkpoint. */
export interface CheckpointWrite extends SerializedValue {
  task_id: string
  /** Below 0: a later one takes its place. Else the first one stays. */
  idx: number
  channel: string
}

export interface CheckpointQuery {
  tenant_id: string
  thread_id?: string | undefined
  checkpoint_ns?: string | undefined
  checkpoint_id?: string | undefined
  /** Only those whose id comes before this one. */
  before?: string | undefined
  /** Goes on behind this row of the page before. */
  after?: CheckpointRow | undefined
  limit: number
}

/**
 * Where checkpoints are kept. Throws `invalid_request` for an id that not every database could
 * keep apart from another, `too_large` for a value, and what the store throws when it is away.
 */
export interface CheckpointStore {
  /**
   * Stores the checkpoint with its new values, all or nothing. One with the same id is replaced; a
   * value of a version that is there stays as it is.
   */
  put(row: CheckpointRow, values: readonly ChannelValue[]): Promise<void>
  /** The checkpoint itself need not be there yet. */
  putWrites(
    history: CheckpointHistory,
    checkpoint_id: string,
    writes: readonly CheckpointWrite[],
  ): Promise<void>
  /** Without an id the newest. */
  get(history: CheckpointHistory, checkpoint_id?: string): Promise<CheckpointRow | undefined>
  /** The newest first. */
  list(query: CheckpointQuery): Promise<CheckpointRow[]>
  /** Those that are stored, in no order. */
  values(history: CheckpointHistory, wanted: readonly ChannelVersion[]): Promise<ChannelValue[]>
  /** By task, then by index. */
  writes(history: CheckpointHistory, checkpoint_id: string): Promise<CheckpointWrite[]>
  /** The namespaces that a thread has. */
  namespaces(tenant_id: string, thread_id: string): Promise<string[]>
  /**
   * Removes the checkpoints before `checkpoint_id` with their writes, and the values that no
   * checkpoint refers to any more. Answers how many checkpoints.
   */
  deleteBefore(history: CheckpointHistory, checkpoint_id: string): Promise<number>
  deleteThread(tenant_id: string, thread_id: string): Promise<void>
}
