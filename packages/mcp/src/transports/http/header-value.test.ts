import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeHeaderValue } from './header-value.ts'

// The first five are the examples of the specification.
test.for([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['', ''],
  ['a', 'a'],
  ['a b', 'a b'],
  [' ', '=?base64?IA==?='],
  ['a\tb', '=?base64?YQli?='],
  ['file:///a%20b?c=d#e', 'file:///a%20b?c=d#e'],
  ['=?base64?open', '=?base64?open'],
])('%j becomes %j', ([text, value]) => {
  expect(encodeHeaderValue(text ?? '')).toBe(value)
})

test('every text becomes a value that can be sent and read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const value = encodeHeaderValue(text)
      expect(value).toMatch(/^[\x20-\x7e]*$/)
      const [, inner] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
      const back = inner === undefined ? value : Buffer.from(inner, 'base64').toString()
      expect(back).toBe(Buffer.from(text).toString())
    }),
    { numRuns: longCount(500, 50_000) },
  )
})
