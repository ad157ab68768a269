import { expect, test } from 'vitest'
import { hasAsked, isTurnAsking } from './asking.ts'
import { createChatLog } from './chat-log.ts'
import type { ToolPart } from './turn.ts'

/** A turn in which a helper asks somebody. */
function openTurn() {
  const log = createChatLog()
  let seq = 0
  const tell = (event: object) => {
    seq += 1
    log.apply({ seq, timestamp: seq, session_id: 's1', run_id: 'r1', ...event } as never)
  }
  const call = { event_type: 'tool_call', tool_name: 'task', tool_args: {} }
  const below = { parent_tool_call_id: 't1', tool_call_id: 'c1' }
  tell({ event_type: 'user_message', message_id: 'm1', content: 'Hi' })
  tell({ ...call, tool_call_id: 't1' })
  tell({ ...call, tool_name: 'send', ...below })
  const turn = () => log.view().turns[0]
  return { tell, turn, below, part: () => turn()?.parts[0] as ToolPart }
}

const request = {
  ...{ event_type: 'hitl_request', approval_id: 'a1', reason: 'it is destructive' },
  action_request: { name: 'send', args: {}, description: '' },
}

test('a turn asks while what a helper wants waits, and the call that it is for had asked', () => {
  const { tell, turn, below, part } = openTurn()
  expect([isTurnAsking(turn()), hasAsked(part())]).toEqual([false, false])
  tell({ ...request, ...below })
  expect([isTurnAsking(turn()), hasAsked(part())]).toEqual([true, true])
  const decision = { type: 'approve', message: '' }
  tell({ event_type: 'approval_decided', approval_id: 'a1', decision, via: 'person', ...below })
  expect([isTurnAsking(turn()), hasAsked(part())]).toEqual([false, true])
})

test('a turn that has ended asks nobody', () => {
  const { tell, turn, below } = openTurn()
  tell({ ...request, ...below })
  tell({ event_type: 'done', cancelled: true })
  expect(isTurnAsking(turn())).toBe(false)
  expect(isTurnAsking(undefined)).toBe(false)
})
