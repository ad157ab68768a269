import type { ExecutionEvent } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createConversation } from './conversation.ts'

const called = { event_type: 'tool_call', tool_name: 'send', tool_args: {} }
const action_request = { name: 'send', args: {}, description: '' }
const asked = { event_type: 'hitl_request', action_request }
const decision = { type: 'approve', message: '' }
const decided = { event_type: 'approval_decided', decision, via: 'person', decided_by: 'ana' }

/** The calls that are open after these events of one run. */
function openAfter(...events: object[]) {
  const conversation = createConversation()
  for (const [i, event] of events.entries()) {
    const dated = { timestamp: 1, ...event } as ExecutionEvent
    conversation.apply(dated, { seq: i + 1, run_id: 'r1' })
  }
  return conversation.openCalls
}

test('an open call knows what was asked for it last, also once that is decided', () => {
  const open = openAfter(
    { ...called, tool_call_id: 'c1' },
    { ...called, tool_call_id: 'c2' },
    { ...asked, approval_id: 'a1', tool_call_id: 'c1' },
    { ...asked, approval_id: 'a2', tool_call_id: 'c1' },
    { ...decided, approval_id: 'a2' },
    { ...asked, approval_id: 'a3' },
    { ...asked, approval_id: 'a4', tool_call_id: 'c2', parent_tool_call_id: 'c2' },
  )
  expect(open.map(({ approval_id }) => approval_id)).toEqual(['a2', undefined])
})

test('a call under an id that the model repeats takes over nothing of the one before it', () => {
  const first = [
    { ...called, tool_call_id: 'c1' },
    { ...asked, approval_id: 'a1', tool_call_id: 'c1' },
  ]
  const again = { ...called, tool_call_id: 'c1' }
  const result = { event_type: 'tool_result', tool_call_id: 'c1', result: '', status: 'success' }
  for (const events of [
    [...first, again],
    [...first, result, again],
  ])
    expect(openAfter(...events).map(({ approval_id }) => approval_id)).toEqual([undefined])
})
