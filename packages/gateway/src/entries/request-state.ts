import type { Clock } from '@dataagent/guard'
import { createSealed } from './sealed.ts'

/** Which call waits for an answer, and where. */
export interface RequestState {
  owner: string
  run_id: string
  /** Counts the times that the call has asked: a state is good for one. */
  round: number
}

export interface RequestStates {
  /** `bound` is who asks for what: under any other the state does not open. */
  seal(state: RequestState, bound: string): string
  /** Undefined for one that was changed, is another's or has expired. */
  open(text: string, bound: string): RequestState | undefined
}

const livesMs = 600_000

/** The `requestState` of the modern era: what a client carries and cannot read or change. */
export function createRequestStates(master: Uint8Array, clock: Clock): RequestStates {
  const sealed = createSealed<RequestState & { until: number }>(master, 'mcp request state')

  return {
    seal: (state, bound) => sealed.seal({ ...state, until: clock.now() + livesMs }, bound),
    open(text, bound) {
      const opened = sealed.open(text, bound)
      if (opened === undefined || opened.until <= clock.now()) return undefined
      const { until, ...state } = opened
      return state
    },
  }
}
