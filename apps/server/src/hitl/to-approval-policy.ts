import type { ApprovalPolicy } from '@dataagent/core'
import type { WebHITLHandler } from './web-hitl-handler.ts'

export interface Circumstances {
  /** Undefined where none is configured: then nothing that asks is allowed [D3.5]. */
  handler: WebHITLHandler | undefined
  /** Whether a person is there to be asked. */
  canAsk: boolean
  /** What the owner of the session has set. */
  autoApprove: boolean
}

/** Who approves what a run asks for. What may do harm is decided by a person, whatever is set. */
export function toApprovalPolicy({ handler, canAsk, autoApprove }: Circumstances): ApprovalPolicy {
  const asked =
    handler && canAsk
      ? ({ kind: 'handler', handler, timeoutMs: handler.timeoutMs } as const)
      : ({ kind: 'nothing' } as const)
  if (!autoApprove) return asked
  return { kind: 'everything', setting: 'auto_approve of the session', harmful: asked }
}
