import type { HITLHandler } from '@dataagent/core'
import type { Hub, Principal } from '@dataagent/hub'
import type { Approval, Decision } from '@dataagent/schema'

/**
 * Asks the person at the other end of a session's sockets [D18]: what is asked goes out as an event
 * of the run, the answer comes in by `decide`, in whichever process. What was asked and decided is
 * kept by the hub, whose time limit counts as a rejection.
 */
export interface WebHITLHandler extends HITLHandler {
  /** How long a person has to answer. */
  readonly timeoutMs: number
  /** Throws as the hub's `decide` does: `conflict`, with the decision, for what was decided. */
  decide(by: Principal, approval_id: string, decision: Decision): Promise<Approval>
  /** How many requests wait here. */
  readonly waiting: number
}

export interface WebHITLHandlerOptions {
  approvals: Pick<Hub['approvals'], 'decide'>
  timeoutMs?: number | undefined
}

type Answer = (decision: Decision) => void

export function createWebHITLHandler(options: WebHITLHandlerOptions): WebHITLHandler {
  const { approvals, timeoutMs = 300_000 } = options
  const waiting = new Map<string, Answer>()

  /** Never answers what others decide, nor what expires: the signal ends the wait. */
  function answerTo({ approval_id, signal }: Asked): Promise<Decision> {
    return new Promise((resolve) => {
      if (signal.aborted) return
      waiting.set(approval_id, resolve)
      const stop = () => {
        if (waiting.get(approval_id) === resolve) waiting.delete(approval_id)
      }
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  return {
    timeoutMs,
    get waiting() {
      return waiting.size
    },
    async requestApproval(_request, _sessionId, asked) {
      return asked === undefined ? nobodyCouldBeShown : answerTo(asked)
    },
    // Recorded before the run hears of it: who decided is the one at the socket, and of several at
    // once the record takes one.
    async decide(by, approval_id, decision) {
      const approval = await approvals.decide(by, approval_id, decision)
      waiting.get(approval_id)?.(decision)
      waiting.delete(approval_id)
      return approval
    },
  }
}

type Asked = NonNullable<Parameters<HITLHandler['requestApproval']>[2]>

const nobodyCouldBeShown: Decision = {
  type: 'reject',
  message: 'Nobody could be asked: there is no approval to decide.',
}
