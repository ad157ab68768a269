import type { HITLHandler } from '@dataagent/core'
import type { Hub, Principal } from '@dataagent/hub'
import type { Approval, Decision } from '@dataagent/schema'

/**
 * Asks the person at the other end of a session's sockets [D18]: what is asked goes out as an event
 * of the run, the answer comes in by `decide`, in whichever process. What was asked and decided is
 * kept by the hub, which tells the run, and whose time limit counts as a rejection.
 */
export interface WebHITLHandler extends HITLHandler {
  /** How long a person has to answer. */
  readonly timeoutMs: number
  /** Throws as the hub's `decide` does: `conflict`, with the decision, for what was decided. */
  decide(by: Principal, approval_id: string, decision: Decision): Promise<Approval>
}

export interface WebHITLHandlerOptions {
  approvals: Pick<Hub['approvals'], 'decide'>
  timeoutMs?: number | undefined
}

export function createWebHITLHandler(options: WebHITLHandlerOptions): WebHITLHandler {
  const { approvals, timeoutMs = 300_000 } = options
  return {
    timeoutMs,
    async requestApproval(_request, _sessionId, asked) {
      return asked === undefined ? nobodyCouldBeShown : leftToTheRecord()
    },
    decide: (by, approval_id, decision) => approvals.decide(by, approval_id, decision),
  }
}

/** Never answers: who decides is the one at the socket, whom the record names. */
function leftToTheRecord(): Promise<never> {
  return new Promise(() => {})
}

const nobodyCouldBeShown: Decision = {
  type: 'reject',
  message: 'Nobody could be asked: there is no approval to decide.',
}
