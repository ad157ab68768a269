import { expect, test } from 'vitest'
import { isLong, lengthOf, longFrom } from './is-long.ts'

const long = 'x'.repeat(longFrom + 1)
const row = { order_id: 'order-0012', total: 17 }

test.each([
  ['a text', long],
  [
    'a text among others',
    {
      content: [
        { type: 'text', text: 'short' },
        { type: 'text', text: long },
      ],
    },
  ],
  [
    'a text in a resource',
    { content: [{ type: 'resource', resource: { uri: 'a:b', text: long } }] },
  ],
  ['rows that need no parsing', { structuredContent: { rows: Array(longFrom / 10).fill(row) } }],
  ['a list of numbers', Array(longFrom).fill(1)],
])('%s is long', (_, result) => {
  expect(isLong(result)).toBe(true)
})

test.each([
  ['nothing', undefined],
  ['a few rows', { rows: Array(100).fill(row) }],
  ['a large image', { content: [{ type: 'image', mimeType: 'image/png', data: long }] }],
  ['an image in a resource', { content: [{ type: 'resource', resource: { blob: long } }] }],
])('%s is not', (_, result) => {
  expect(isLong(result)).toBe(false)
})

test('what is beyond that is not counted', () => {
  expect(lengthOf(Array(10).fill(long))).toBeLessThan(2 * longFrom)
})
