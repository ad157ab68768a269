import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateMessage, estimateMessages, estimateTokens } from './estimate-tokens.ts'

test('about four Latin characters or one and a half Chinese ones are a token', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('a'.repeat(400))).toBe(100)
  expect(estimateTokens('数'.repeat(150))).toBe(100)
  expect(estimateTokens('데이터テスト')).toBe(4)
})

test('a text is never less than its beginning', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(estimateTokens(a + b)).toBeGreaterThanOrEqual(estimateTokens(a))
    }),
  )
})

test('a message counts its calls', () => {
  const plain = { role: 'assistant', content: 'Hi', tool_calls: [] } as const
  const call = { id: 'a', name: 'get_weather', arguments: { city: 'x'.repeat(400) } }
  const calling = { ...plain, tool_calls: [call] }
  expect(estimateMessage(calling)).toBeGreaterThan(estimateMessage(plain) + 100)
  expect(estimateMessages([plain, calling])).toBe(estimateMessage(plain) + estimateMessage(calling))
})
