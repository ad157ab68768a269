import { expect, test } from 'vitest'
import { parseClientMessage } from './client-message.ts'

const send = (message: unknown) => parseClientMessage(JSON.stringify(message))

test.each([
  { type: 'chat', payload: { message: '上月各区域销售额?' } },
  { type: 'chat', payload: { message: 'hi', message_id: 'm1' } },
  { type: 'cancel' },
  { type: 'cancel', payload: {} },
  {
    type: 'hitl_decision',
    payload: { approval_id: 'a1', decision: { type: 'reject', message: 'no' } },
  },
  {
    type: 'hitl_decision',
    payload: {
      approval_id: 'a1',
      decision: { type: 'approve', message: '', args: { path: 'a' }, scope: 'tool' },
    },
  },
  {
    type: 'hitl_decision',
    payload: { approval_id: 'a1', decision: { type: 'reject', message: '', on_reject: 'tell' } },
  },
  { type: 'resume', payload: { seq: 12, offset: 40 } },
  { type: 'ping' },
])('a client may send %j [D14.4] [D21.6]', (message) => {
  expect(send(message)).toEqual(message)
})

test('a key arrives as a secret', () => {
  const message = send({ type: 'authenticate', payload: { api_key: 'sk-canary' } })
  expect(JSON.stringify(message)).not.toContain('canary')
  expect(message.type === 'authenticate' && message.payload.api_key.reveal()).toBe('sk-canary')
})

test('a decision needs no words and a resume no offset', () => {
  const decided = { approval_id: 'a1', decision: { type: 'approve' } }
  expect(send({ type: 'hitl_decision', payload: decided })).toEqual({
    type: 'hitl_decision',
    payload: { approval_id: 'a1', decision: { type: 'approve', message: '' } },
  })
  expect(send({ type: 'resume', payload: { seq: 3 } })).toEqual({
    type: 'resume',
    payload: { seq: 3, offset: 0 },
  })
})

test.each([
  [{ type: 'chat', payload: { message: 'hi', user_id: 'root' } }, 'payload.user_id: expected no'],
  [{ type: 'chat', payload: { message: 'hi' }, tenant_id: 't2' }, 'tenant_id: expected no'],
  [{ type: 'cancel', payload: { session_id: 'other' } }, 'payload.session_id: expected no'],
  [{ type: 'chat', payload: { message: '' } }, 'payload.message: expected at least 1 character'],
  [{ type: 'chat' }, 'payload: expected object, got nothing'],
  [{ type: 'hitl_decision', payload: { approval_id: 'a1' } }, 'payload.decision'],
  [{ type: 'resume', payload: { seq: -1 } }, 'payload.seq'],
  [
    { type: 'shout', payload: {} },
    '"authenticate" | "chat" | "cancel" | "hitl_decision" | "resume" | "ping"',
  ],
  ['chat', 'expected object, got string'],
])('%j is refused by its field', (message, told) => {
  expect(() => send(message)).toThrow(told)
})

test('a frame that is not JSON, or nested without end, is refused [T17]', () => {
  expect(() => parseClientMessage('hello')).toThrow('the message is not JSON')
  const bomb = `{"type":"chat","payload":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
  expect(() => parseClientMessage(bomb)).toThrow('at most 64 levels of nesting')
})
