import { AppError } from '@dataagent/schema'
import type { RunLeases } from '../session/index.ts'
import { loadConversation } from './load-conversation.ts'
import { type RepairMeans, repairRun } from './repair-run.ts'
import type { RunEvent } from './run-log.ts'

export interface EndLeftRunMeans extends RepairMeans {
  leases: Pick<RunLeases, 'acquire'>
}

export interface LeftRun {
  session_id: string
  run_id: string
  /** Why nobody can go on with it; without one it was cancelled. */
  error?: unknown
}

/**
 * Ends a run that a dead process left and that no agent can go on with. Gives its last events,
 * which nobody was sent; none where it had ended. Throws `conflict` while the session is busy, and
 * what the log and the leases throw.
 */
export async function endLeftRun(means: EndLeftRunMeans, left: LeftRun): Promise<RunEvent[]> {
  const { session_id, run_id, error } = left
  const lease = await means.leases.acquire(session_id)
  if (lease === undefined) throw new AppError('conflict', 'The session has a run under way.')
  try {
    const conversation = await loadConversation(means.log, session_id)
    if (conversation.openRun !== run_id) return []
    return await repairRun(means, { session_id, conversation, error })
  } finally {
    await lease.release()
  }
}
