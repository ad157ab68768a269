import type { CheckpointStore } from '@dataagent/schema'
import { createCheckpointPuts } from './checkpoint-puts.ts'
import { createCheckpointReads } from './checkpoint-reads.ts'
import { createCheckpointRemovals } from './checkpoint-removals.ts'
import type { CheckpointRowsOptions } from './tables.ts'

/** LangGraph's checkpoints in SQL. */
export function createCheckpointStore(options: CheckpointRowsOptions): CheckpointStore {
  return {
    ...createCheckpointPuts(options),
    ...createCheckpointReads(options),
    ...createCheckpointRemovals(options),
  }
}
