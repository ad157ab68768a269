import type { ApprovalPolicy } from '@dataagent/core'
import type { WebHITLHandler } from './web-hitl-handler.ts'

export interface Circumstances {
  /** Undefined where none is configured: then nothing that asks is allowed [D3.5]. */
  handler: WebHITLHandler | undefined
  /** Whether a person is there to be asked. */
  canAsk: boolean
  /** Whose `auto_approve` is set at this moment, where the tenant may have it: of each call. */
  autoApprovedBy(): 'session' | 'agent' | undefined
}

/** Who approves what a run asks for. What may do harm is decided by a person, whatever is set. */
export function toApprovalPolicy({ handler, canAsk, ...asked }: Circumstances): ApprovalPolicy {
  const person =
    handler && canAsk
      ? ({ kind: 'handler', handler, timeoutMs: handler.timeoutMs } as const)
      : ({ kind: 'nothing' } as const)
  const by = asked.autoApprovedBy()
  if (by === undefined) return person
  const holds = () => asked.autoApprovedBy() !== undefined
  return { kind: 'everything', setting: `auto_approve of the ${by}`, harmful: person, holds }
}
