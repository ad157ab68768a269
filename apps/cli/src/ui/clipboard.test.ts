import { expect, test } from 'vitest'
import { toClipboardSequence } from './clipboard.ts'

const begin = '\u001b]52;c;'
const end = '\u0007'

test('what a text holds cannot end the sequence or begin another', () => {
  const text = 'a\u0007b\u001b]0;title\u0007 数据'
  const sequence = toClipboardSequence(text) ?? ''
  expect(sequence.startsWith(begin) && sequence.endsWith(end)).toBe(true)
  const encoded = sequence.slice(begin.length, -end.length)
  expect(encoded).toMatch(/^[A-Za-z0-9+/=]+$/)
  expect(Buffer.from(encoded, 'base64').toString()).toBe(text)
})

test('a text that terminals would cut is refused', () => {
  expect(toClipboardSequence('x'.repeat(80_000))).toBeUndefined()
})
