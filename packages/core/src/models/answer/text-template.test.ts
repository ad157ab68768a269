import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextTemplate } from './text-template.ts'

const event = (content: unknown, more: object = {}) =>
  JSON.stringify({ id: 'chatcmpl-1', choices: [{ delta: { content, ...more } }], usage: null })

test('an event that differs in its text alone is read', () => {
  const template = createTextTemplate('content')
  expect(template.match(event('a'))).toBeUndefined()
  template.learn(event('Hello'), 'Hello')
  expect(template.match(event(' you'))).toBe(' you')
  expect(template.match(event(''))).toBe('')
  expect(template.match(event('你好'))).toBe('你好')
})

test.each([
  event('say "hi"'),
  event('a\nb'),
  event(null),
  event('x', { role: 'assistant' }),
  event('x').replace('"usage":null', '"usage":{"prompt_tokens":1}'),
  event('x').slice(1),
  event('x').slice(0, -1),
  '{"content":"x"}',
  '[DONE]',
  '',
])('any other is left to the parser: %s', (data) => {
  const template = createTextTemplate('content')
  template.learn(event('Hello'), 'Hello')
  expect(template.match(data)).toBeUndefined()
})

test.each([
  ['a second such key', '{"content":"x","delta":{"content":"x"}}', 'x'],
  ['an escape', '{"a":"\\u0022","delta":{"content":"x"}}', 'x'],
  ['a text elsewhere', '{"message":{"content":"y"},"delta":{"text":"x"}}', 'x'],
])('nothing is learned from an event with %s', (_, data, text) => {
  const template = createTextTemplate('content')
  template.learn(data, text)
  expect(template.match(data)).toBeUndefined()
})

test('what it reads is what the parser would', () => {
  const template = createTextTemplate('content')
  template.learn(event('Hello'), 'Hello')
  const piece = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '"},"content":"', '"}}]', '{'))
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const raw = event('@').replace('@', () => pieces.join('').replace(/\p{Cc}/gu, ''))
      const text = template.match(raw)
      if (text !== undefined) expect(JSON.parse(raw).choices[0].delta.content).toBe(text)
      const valid = event(pieces.join(''))
      expect([undefined, pieces.join('')]).toContain(template.match(valid))
    }),
    { numRuns: 500 },
  )
})
