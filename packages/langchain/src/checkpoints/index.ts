export {
  type CheckpointSaver,
  type CheckpointSaverOptions,
  createCheckpointSaver,
} from './checkpoint-saver.ts'
export type { PruneOptions } from './prune-thread.ts'
