import { AppError, type CheckpointHistory } from '@dataagent/schema'
import { oldestNeeded } from './ancestors.ts'
import type { Reading } from './read-tuple.ts'

export interface PruneOptions {
  /** How many checkpoints of each namespace stay, the newest ones: 1 or more. */
  keep: number
}

/** Answers how many checkpoints were removed. */
export async function pruneThread(
  reading: Reading,
  { tenant_id, thread_id }: Pick<CheckpointHistory, 'tenant_id' | 'thread_id'>,
  { keep }: PruneOptions,
): Promise<number> {
  if (!Number.isSafeInteger(keep) || keep < 1) {
    throw new AppError('invalid_request', 'keep must be a whole number of at least 1')
  }
  let removed = 0
  for (const checkpoint_ns of await reading.store.namespaces(tenant_id, thread_id)) {
    const history = { tenant_id, thread_id, checkpoint_ns }
    const oldest = await oldestKept(reading, history, keep)
    if (oldest !== undefined) removed += await reading.store.deleteBefore(history, oldest)
  }
  return removed
}

async function oldestKept(reading: Reading, history: CheckpointHistory, keep: number) {
  const kept = await reading.store.list({ ...history, limit: keep })
  if (kept.length < keep) return undefined
  const ids = new Set(kept.map(({ checkpoint_id }) => checkpoint_id))
  const needed = []
  for (const row of kept) {
    // What a checkpoint needs that has its parent beside it, its parent needs too.
    if (row.parent_checkpoint_id !== null && ids.has(row.parent_checkpoint_id)) continue
    needed.push(await oldestNeeded(reading, row))
  }
  return [...ids, ...needed].reduce((oldest, id) => (id < oldest ? id : oldest))
}
