import type { CheckpointHistory, CheckpointRow, CheckpointWrite } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'

export interface CheckpointRowsOptions {
  db: Kysely<Database>
  engine: Engine
}

/** A value as it is stored: parts that others share, by their hashes, and what comes after them. */
export interface StoredValue {
  type: string
  /** Hashes, a space between them. */
  parts: string
  tail: Uint8Array
}

interface StoredCheckpoint
  extends Pick<CheckpointRow, 'checkpoint_id' | 'parent_checkpoint_id' | 'checkpoint'> {
  history_id: string
  channel_versions: string
  metadata_type: string
  metadata: Uint8Array
}

interface StoredChannelValue extends StoredValue {
  history_id: string
  channel: string
  version: string
}

interface StoredWrite extends StoredValue, Pick<CheckpointWrite, 'task_id' | 'idx' | 'channel'> {
  history_id: string
  checkpoint_id: string
}

/** The tables of LangGraph's checkpoints. `history_id` stands for tenant, thread and namespace. */
export interface CheckpointTables {
  checkpoint_histories: CheckpointHistory & { history_id: string }
  checkpoints: StoredCheckpoint
  checkpoint_values: StoredChannelValue
  checkpoint_writes: StoredWrite
  checkpoint_parts: { history_id: string; hash: string; bytes: Uint8Array }
}
