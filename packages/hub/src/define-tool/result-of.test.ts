import { expect, test } from 'vitest'
import { watchLoop } from '../test-loop-watch.ts'
import { toToolResult } from './result-of.ts'

const large = 'x'.repeat(20 * 1024 * 1024)
const rows = Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: 'a name' }))

test.each([
  ['a text', large],
  ['a list', rows],
  ['a result', { content: [{ type: 'text', text: large }] }],
  ['bytes', Buffer.alloc(60 * 1024 * 1024)],
])('%s beyond 16 MiB is refused, before it is written as JSON', (_, value) => {
  using watch = watchLoop()
  expect(() => toToolResult(value, false)).toThrow('more than 16777216 bytes')
  expect(watch.worstMs()).toBeLessThan(2_000)
})

test('what is smaller is given', () => {
  const text = large.slice(0, 1024 * 1024)
  expect(toToolResult(text, false)).toEqual({ content: [{ type: 'text', text }] })
})
