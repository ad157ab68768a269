import { systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createRunLeases } from '../session/index.ts'
import { endLeftRun } from './end-left-run.ts'
import { loadConversation, startEngine } from './test-engine.ts'

const call = { event_type: 'tool_call', tool_call_id: 'c1', tool_name: 'send', tool_args: {} }
const action_request = { name: 'send', args: {}, description: 'Send?' }
const left = [
  { event_type: 'user_message', message_id: 'm', content: 'Send' },
  call,
  { event_type: 'hitl_request', approval_id: 'a1', tool_call_id: 'c1', action_request },
]

test('a run that no agent can go on with is ended in its log, once and under its lease [D11.4]', async () => {
  await using engine = await startEngine()
  const { session_id, sql } = engine
  const placed = left.map((event, at) => ({ timestamp: 1, ...event, run_id: 'r1', seq: at + 1 }))
  const entries = placed.map((event) => ({ kind: event.event_type, json: JSON.stringify(event) }))
  await sql.events.append(session_id, entries)
  const withdrawn: string[] = []
  const leases = createRunLeases()
  const means = {
    ...{ log: sql.events, clock: systemClock, leases, tenant_id: 'default' },
    approvals: { withdraw: async (_: string, id: string) => void withdrawn.push(id) },
  }
  const error = new AppError('not_found', 'there is no agent x')
  const end = (run_id: string) => endLeftRun(means, { session_id, run_id, error })

  const lease = await leases.acquire(session_id)
  await expect(end('r1')).rejects.toMatchObject({ code: 'conflict' })
  await lease?.release()
  expect(await end('another')).toEqual([])
  expect(await end('r1')).toMatchObject([
    { event_type: 'tool_result', tool_call_id: 'c1', seq: 4 },
    { event_type: 'error', error_code: 'not_found', recoverable: false, run_id: 'r1' },
    { event_type: 'done', cancelled: false, seq: 6 },
  ])
  expect(withdrawn).toEqual(['a1'])
  expect(await end('r1')).toEqual([])
  const { openRun, isRetryable, head } = await loadConversation(sql.events, session_id)
  expect({ openRun, isRetryable, head }).toEqual({
    openRun: undefined,
    isRetryable: false,
    head: 6,
  })
  expect(await leases.isHeld(session_id)).toBe(false)
})
