import type { RunStatus, SessionStatus } from '@dataagent/schema'

/** What a session is doing, by its last run. */
export function toSessionStatus(run: RunStatus | undefined): SessionStatus {
  if (run === 'running' || run === 'error') return run
  return run === 'waiting' ? 'waiting_approval' : 'idle'
}
