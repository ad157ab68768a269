import { randomUUID } from 'node:crypto'
import type { SessionState } from '@dataagent/schema'

/** The state of a new session [D6.5]: a thread of its own, and nothing approved by itself. */
export function createSessionState(given: Partial<SessionState> = {}): SessionState {
  return { thread_id: randomUUID(), auto_approve: false, status: 'idle', ...given }
}

/** The state with other servers switched off: for that session alone. */
export function withServersOff(
  { servers_off: _, ...state }: SessionState,
  servers_off: readonly string[],
): SessionState {
  return servers_off.length === 0 ? state : { ...state, servers_off: [...new Set(servers_off)] }
}

/** The state with `auto_approve` switched: for that session alone. */
export function withAutoApprove(state: SessionState, auto_approve: boolean): SessionState {
  return { ...state, auto_approve }
}
