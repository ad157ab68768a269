import type { Clock } from '@dataagent/guard'
import type { Approver, Hub, Principal } from '@dataagent/hub'
import {
  type ActionRequest,
  type Decision,
  decisionSchema,
  type ExecutionEvent,
  type HITLRequestEvent,
  isAppError,
  parseAs,
} from '@dataagent/schema'
import type { ApprovalPolicy, AskingPolicy } from './contract.ts'

/** The approvals of one run: tells people that they are asked, and what they decided. */
export interface Asking {
  /** Of the call that begins now. */
  readonly approver: Approver
  /**
   * The asking of one call. `withdraw` ends the call, if it still waits for a person. `earlier` is
   * what a process that died had asked for it: that may have been decided meanwhile.
   */
  ofCall(tool_call_id: string, withdraw: () => void, earlier?: string): CallAsking
  /** Ends every call that nobody has decided, and those that come to ask from now on. */
  withdrawAll(): void
  readonly isWithdrawn: boolean
  /** Ends what handlers still ask. */
  close(): void
}

export interface CallAsking {
  /** Told by the hub that a person is asked. */
  onAsked(event: HITLRequestEvent): void
  /** Once the call goes on or has ended: tells what was decided, once. */
  settle(): Promise<void>
}

export interface AskingOptions {
  approvals: Pick<Hub['approvals'], 'decide' | 'get'>
  policy: ApprovalPolicy
  /** The person, not the agent. */
  person: Principal
  session_id: string
  clock: Clock
  tell(...events: readonly ExecutionEvent[]): void
  /** Told of a handler that failed. Must not throw. */
  onFault?(error: unknown): void
}

export function createAsking(options: AskingOptions): Asking {
  const { approvals, policy, person, session_id, clock, tell, onFault } = options
  const waiting = new Map<string, () => void>()
  const closing = new AbortController()
  let isWithdrawn = false

  function stopsWaiting(approval_id: string): void {
    if (!waiting.delete(approval_id) || waiting.size > 0) return
    tell({ event_type: 'session_state', timestamp: clock.now(), status: 'running' })
  }

  async function askHandler(approval_id: string, request: ActionRequest, signal: AbortSignal) {
    const asks = policy.kind === 'everything' ? policy.harmful : policy
    if (asks?.kind !== 'handler') return
    const asked = { approval_id, signal }
    const decision = await Promise.try(() =>
      asks.handler.requestApproval(request, session_id, asked),
    )
      .then(toDecision)
      .catch((error) => {
        onFault?.(error)
        return unanswered
      })
    if (!signal.aborted) await decide(approval_id, decision)
  }

  /** A yes that reaches further than it may is one for this call; what cannot be taken is a no. */
  async function decide(approval_id: string, decision: Decision): Promise<void> {
    try {
      await approvals.decide(person, approval_id, decision)
    } catch (error) {
      if (isAppError(error, 'conflict') || isAppError(error, 'not_found')) throw error
      onFault?.(error)
      const { scope, ...once } = decision
      await approvals.decide(person, approval_id, scope === undefined ? unanswered : once)
    }
  }

  /** What a person has said yes to is finished. */
  async function withdrawUndecided(approval_id: string, withdraw: () => void): Promise<void> {
    const approval = await approvals.get(person, approval_id).catch(() => undefined)
    if (approval?.status !== 'decided') withdraw()
  }

  function ask(event: HITLRequestEvent, withdraw: () => void): AbortController {
    const { approval_id, action_request, timestamp } = event
    const over = new AbortController()
    if (waiting.size === 0) {
      tell(event, { event_type: 'session_state', timestamp, status: 'waiting_approval' })
    } else tell(event)
    waiting.set(approval_id, withdraw)
    closing.signal.addEventListener('abort', () => over.abort(), { signal: over.signal })
    askHandler(approval_id, action_request, over.signal).catch((error) => {
      // Someone else was faster.
      if (!over.signal.aborted && !isAppError(error, 'conflict')) onFault?.(error)
    })
    return over
  }

  return {
    get approver() {
      return toApprover(policy)
    },
    get isWithdrawn() {
      return isWithdrawn
    },
    ofCall(tool_call_id, withdraw, earlier) {
      let asked: { approval_id: string; over?: AbortController } | undefined
      if (earlier !== undefined) asked = { approval_id: earlier }
      return {
        onAsked(event) {
          if (isWithdrawn) return withdraw()
          asked?.over?.abort()
          const { approval_id } = event
          asked = { approval_id, over: ask({ ...event, tool_call_id }, withdraw) }
        },
        async settle() {
          if (asked === undefined) return
          const { approval_id, over } = asked
          asked = undefined
          over?.abort()
          const approval = await approvals.get(person, approval_id).catch(() => undefined)
          if (approval?.status !== 'decided') return stopsWaiting(approval_id)
          const { decision, via, decided_by, decided_at } = approval
          const decided = { event_type: 'approval_decided', timestamp: decided_at } as const
          tell({ ...decided, approval_id, decision, via, decided_by })
          // The process that died had said that the session waits: it does so no more.
          if (over === undefined) waiting.set(approval_id, withdraw)
          stopsWaiting(approval_id)
        },
      }
    },
    withdrawAll() {
      isWithdrawn = true
      for (const [approval_id, withdraw] of waiting) void withdrawUndecided(approval_id, withdraw)
    },
    close: () => closing.abort(),
  }
}

/** A handler may leave out the words. */
function toDecision(decision: Partial<Decision>): Decision {
  return parseAs(decisionSchema, { message: '', ...decision }, 'decision of the HITLHandler')
}

/** What stands for an answer that never came. */
const unanswered: Decision = {
  type: 'reject',
  message: 'Nobody could be asked: the one who asks people has failed.',
}

function toApprover(policy: ApprovalPolicy): Approver {
  if (policy.kind !== 'everything') return toPerson(policy)
  const { setting, harmful, holds = () => true } = policy
  if (!holds()) return toPerson(harmful ?? { kind: 'nothing' })
  return { kind: 'auto', setting, harmful: harmful && toPerson(harmful) }
}

function toPerson(policy: AskingPolicy): Exclude<Approver, { kind: 'auto' }> {
  if (policy.kind === 'nothing') return { kind: 'nobody' }
  return { kind: 'wait', timeoutMs: policy.timeoutMs }
}
