import type { Clock } from '@dataagent/guard'
import type { Hub } from '@dataagent/hub'
import { type ExecutionEvent, toErrorEvent } from '@dataagent/schema'
import type { SessionLog } from '../session/index.ts'
import type { Conversation } from './conversation.ts'
import { toLostResult } from './run-calls.ts'
import type { RunEvent } from './run-log.ts'

export interface RepairMeans {
  log: SessionLog
  clock: Clock
  approvals: Pick<Hub['approvals'], 'withdraw'>
  tenant_id: string
}

export interface RepairAt {
  session_id: string
  conversation: Conversation
  /** Why it cannot go on; without one it counts as cancelled. */
  error?: unknown
}

/**
 * Ends a run that its process left behind, because nobody goes on with it: what was asked is
 * withdrawn, calls without a result get one that says so, and the run is done. Gives its last
 * events, which are in the log and were sent to nobody.
 */
export async function repairRun(means: RepairMeans, at: RepairAt): Promise<RunEvent[]> {
  const { session_id, conversation, error } = at
  const run_id = conversation.openRun
  if (run_id === undefined) return []
  const { log, clock, approvals, tenant_id } = means
  for (const approval_id of conversation.openApprovals) {
    await approvals.withdraw(tenant_id, approval_id).catch(() => {})
  }
  const timestamp = clock.now()
  const events: ExecutionEvent[] = toLostCalls(conversation, timestamp)
  if (error !== undefined) events.push(toErrorEvent(error, { timestamp, reference: run_id }))
  events.push({ event_type: 'done', timestamp, cancelled: error === undefined })
  const first = conversation.head + 1
  const placed = events.map((event, i) => ({ ...event, session_id, seq: first + i, run_id }))
  const entries = placed.map((event) => ({ kind: event.event_type, json: JSON.stringify(event) }))
  await log.append(session_id, entries, { after: conversation.head })
  for (const event of placed) conversation.apply(event, event)
  return placed as RunEvent[]
}

/** Results of the calls that have none and get no other. */
export function toLostCalls(
  { openCalls }: Pick<Conversation, 'openCalls'>,
  timestamp: number,
): ExecutionEvent[] {
  return openCalls.map(({ id, started }) =>
    started ? toLostResult(timestamp, id) : toInterrupted(timestamp, id),
  )
}

function toInterrupted(timestamp: number, tool_call_id: string): ExecutionEvent {
  return {
    event_type: 'tool_result',
    timestamp,
    tool_call_id,
    result: {
      code: 'cancelled',
      message: 'The run was interrupted before the tool was started. It had no effect.',
      advice: 'retry',
    },
    status: 'error',
    outcome: 'interrupted',
  }
}
