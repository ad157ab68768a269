import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { Hub } from '@dataagent/hub'
import { AppError, type ExecutionEvent, isAppError, parseLoggedEvent } from '@dataagent/schema'
import type { SessionLog } from '../session/index.ts'
import type { ExecuteContext } from './contract.ts'
import type { Conversation } from './conversation.ts'
import { catchUp } from './load-conversation.ts'
import { repairRun } from './repair-run.ts'
import type { EngineMeans, RunKind } from './run.ts'
import { goneOn, type RunEvent } from './run-log.ts'

export interface BeginTurnMeans {
  log: SessionLog
  clock: Clock
  hub: { approvals: Pick<Hub['approvals'], 'withdraw'> }
  probe: EngineMeans['probe']
}

/** Where a run begins. */
export interface BeginAt {
  session_id: string
  conversation: Conversation
  run_id: string
  context: ExecuteContext
  send(event: RunEvent): void
}

/** The run to carry out. */
export interface Begun {
  kind: RunKind
  run_id: string
  conversation: Conversation
  /** Whether a person was being asked something when its message came. */
  hasPendingApproval: boolean
  /** Whether another process had begun it. */
  isLeft: boolean
}

const maxAttempts = 3

/**
 * Logs the user's words, after what an earlier run left behind was put in order. Throws `conflict`:
 * with `data.received` for a message that was received already, without where others append to the
 * log all the time; and what the log throws.
 */
export async function beginTurn(means: BeginTurnMeans, at: BeginAt, input: string): Promise<Begun> {
  const { log, clock, hub } = means
  const { conversation, run_id, session_id, context } = at
  const { message_id = randomUUID() } = context
  const message = { event_type: 'user_message', timestamp: clock.now(), message_id } as const
  const event: ExecutionEvent = { ...message, content: input }
  // What the log holds must be readable for ever.
  parseLoggedEvent({ ...event, session_id, run_id, seq: 1 })
  const { tenant_id } = context.principal
  const repair = { log, clock, approvals: hub.approvals, tenant_id }
  let hasPendingApproval = false
  for (let attempt = 1; ; attempt += 1) {
    // Before the repair: who repeats a message does not end the run that it began.
    if (conversation.hasMessage(message_id)) throw received()
    hasPendingApproval ||= conversation.openApprovals.length > 0
    try {
      await repairRun(repair, { session_id, conversation })
      await logMessage(means, at, event)
      return { kind: 'turn', run_id, conversation, hasPendingApproval, isLeft: false }
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error
      if (attempt === maxAttempts) throw goneOn(error)
      await catchUp(log, session_id, conversation)
    }
  }
}

async function logMessage(
  { log, probe }: BeginTurnMeans,
  { session_id, run_id, conversation, send }: BeginAt,
  event: ExecutionEvent,
): Promise<void> {
  const seq = conversation.head + 1
  const placed = { ...event, session_id, seq, run_id }
  const entry = { kind: event.event_type, json: JSON.stringify(placed) }
  await log.append(session_id, [entry], { after: conversation.head })
  conversation.apply(event, { seq, run_id })
  send(placed as RunEvent)
  await probe?.('message_logged')
}

function received(): AppError {
  return new AppError('conflict', 'This message was received already.', {
    data: { received: true },
  })
}
