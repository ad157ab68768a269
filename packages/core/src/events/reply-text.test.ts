import type { ExecutionEvent } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { toReplyText } from './reply-text.ts'

const text = (content: string, more: object = {}): ExecutionEvent => ({
  ...{ event_type: 'text', timestamp: 1, content, is_final: false },
  ...more,
})

test('pieces are joined, and what was begun anew counts once [D2.2]', () => {
  expect(toReplyText([text('Hel'), text('lo'), text('', { is_final: true })])).toBe('Hello')
  expect(toReplyText([text('Hel'), text('Good day', { restarts: true })])).toBe('Good day')
})

test('replies of one run stand apart; a sub-agent’s words are not the reply', () => {
  const events = [
    text('First.', { is_final: true }),
    text('Aside', { parent_tool_call_id: 'c', is_final: true }),
    text('Last.', { is_final: true }),
  ]
  expect(toReplyText(events)).toBe('First.\n\nLast.')
})
