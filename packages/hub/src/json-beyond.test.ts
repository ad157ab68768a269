import { expect, test } from 'vitest'
import { isJsonBeyond } from './json-beyond.ts'

const values = [
  null,
  12345,
  'text',
  '"\\ \u0000 é 😀',
  [],
  {},
  [1, 'a', [null, true], { b: undefined }],
  new Uint8Array(9),
  Buffer.from('bytes'),
  new Date(0),
  { a: 'x'.repeat(1_000), b: [1, 2, 3], c: { d: { e: 'deep' } } },
]

test.each(values)('%j is not beyond its own length', (value) => {
  expect(isJsonBeyond(value, Buffer.byteLength(JSON.stringify(value)))).toBe(false)
})

test('what is much longer is beyond, as a text, as a list and as fields', () => {
  const max = 10_000
  expect(isJsonBeyond({ content: [{ text: 'x'.repeat(max) }] }, max)).toBe(true)
  expect(
    isJsonBeyond(
      Array.from({ length: max }, () => 1),
      max,
    ),
  ).toBe(true)
  const fields = Object.fromEntries(Array.from({ length: max / 8 }, (_, n) => [`field_${n}`, n]))
  expect(isJsonBeyond(fields, max)).toBe(true)
  expect(isJsonBeyond(Buffer.alloc(max), max)).toBe(true)
})
