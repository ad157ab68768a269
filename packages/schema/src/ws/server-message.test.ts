import { expect, test } from 'vitest'
import { isNotice, parseServerMessage } from './server-message.ts'

const receive = (message: unknown) => parseServerMessage(JSON.stringify(message))
const delta = {
  session_id: 's1',
  seq: 4,
  offset: 3,
  event_type: 'text',
  timestamp: 1,
  content: 'lo',
  is_final: false,
}

test('events and notices come apart by their event_type [D14.4]', () => {
  const connected = { session_id: 's1', seq: 3, status: 'running' }
  const notices = [
    { event_type: 'connected', timestamp: 1, ...connected },
    { event_type: 'caught_up', timestamp: 1, seq: 3 },
    { event_type: 'pong', timestamp: 1 },
    { event_type: 'refused', timestamp: 1, error_code: 'invalid_request', message: 'why' },
    {
      ...{ event_type: 'refused', timestamp: 1, error_code: 'rate_limited', message: 'why' },
      ...{ retry_after_ms: 800, in_reply_to: 'chat' },
    },
    { event_type: 'approval_changed', timestamp: 1, approval_id: 'a1', status: 'decided' },
    { event_type: 'going_away', timestamp: 1, retry_after_ms: 500 },
    { event_type: 'mcp_servers_changed', timestamp: 1, server_name: 'a', change: 'added' },
  ]
  for (const notice of notices) {
    expect(receive(notice)).toEqual(notice)
    expect(isNotice(receive(notice))).toBe(true)
  }
  expect(receive(delta)).toEqual(delta)
  expect(isNotice(receive(delta))).toBe(false)
})

test('what a newer server sends is kept: events, notices and fields', () => {
  const event = { session_id: 's1', seq: 5, event_type: 'reasoning', timestamp: 1, content: 'hm' }
  const notice = { event_type: 'maintenance', timestamp: 1, at: 9 }
  for (const message of [event, notice, { ...delta, lang: 'zh' }])
    expect(receive(message)).toEqual(message)
})

test('an event without its place is refused', () => {
  const { seq: _, ...unplaced } = delta
  expect(() => receive(unplaced)).toThrow('seq: expected number, got nothing')
  expect(() => receive({ event_type: 'connected', timestamp: 1 })).toThrow('session_id')
  expect(() => receive([])).toThrow('expected object, got array')
  expect(() => parseServerMessage('')).toThrow('not JSON')
})
