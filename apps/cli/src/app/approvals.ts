import type { Client } from '@dataagent/client'
import type { DecisionRequestInput, HITLRequestEvent } from '@dataagent/schema'
import type {
  ApprovalRequest,
  CloseReason,
  PendingApproval,
  TerminalDecision,
} from '../hitl/index.ts'

/** What the platform is told. */
export function toDecision({ kind, message }: TerminalDecision): DecisionRequestInput {
  if (kind === 'reject') return { type: 'reject', message }
  return { type: 'approve', message, scope: kind === 'tool' ? 'tool' : 'once' }
}

/** Where questions are shown. */
export interface Questions {
  add(approval: PendingApproval): void
  close(approval_id: string, how: CloseReason): void
}

export interface ApprovalsOptions {
  questions: Questions
  /** Tells more of an approval than the event does. */
  client(): Promise<Pick<Client, 'approvals'>>
}

/** Keeps the questions that are shown those that wait. */
export interface Approvals {
  sync(pending: readonly HITLRequestEvent[], howDecided: (id: string) => CloseReason): void
  /** Closes those that wait no longer, and shows no others. */
  closeEnded: Approvals['sync']
  /** Shows these; those that are shown already are left as they are. */
  show(pending: readonly HITLRequestEvent[]): void
  /** It was answered here: nobody needs to be told. */
  answered(approval_id: string): void
}

export function createApprovals({ questions, client }: ApprovalsOptions): Approvals {
  const shown = new Set<string>()

  async function put(event: HITLRequestEvent): Promise<void> {
    const { approval_id, action_request, expires_at } = event
    const { server, reason } = await readMore(approval_id)
    if (!shown.has(approval_id)) return
    const request: ApprovalRequest = { ...action_request, server, reason }
    questions.add({ approval_id, request, expires_at })
  }

  /** Whose tool it is and why it is asked; the question stands without, too. */
  async function readMore(
    approval_id: string,
  ): Promise<Pick<ApprovalRequest, 'server' | 'reason'>> {
    try {
      const { approvals } = await client()
      const { server_id, reason } = await approvals.get(approval_id)
      return { server: server_id, reason }
    } catch {
      return {}
    }
  }

  function closeEnded(
    pending: readonly HITLRequestEvent[],
    howDecided: (id: string) => CloseReason,
  ): void {
    for (const id of shown) {
      if (pending.some(({ approval_id }) => approval_id === id)) continue
      shown.delete(id)
      questions.close(id, howDecided(id))
    }
  }

  function show(pending: readonly HITLRequestEvent[]): void {
    for (const event of pending) {
      if (shown.has(event.approval_id)) continue
      shown.add(event.approval_id)
      void put(event)
    }
  }

  return {
    sync(pending, howDecided) {
      closeEnded(pending, howDecided)
      show(pending)
    },
    closeEnded,
    show,
    answered: (approval_id) => void shown.delete(approval_id),
  }
}
