import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyArgs } from './copy-args.ts'

test('arguments are copied: what the caller changes afterwards does not count', () => {
  const given = { order: { lines: [{ amount: 1 }] } }
  const copied = copyArgs(given)
  given.order.lines[0] = { amount: 1_000_000 }
  expect(copied).toEqual({ status: 'ok', args: { order: { lines: [{ amount: 1 }] } } })
})

test('any JSON object comes out as it went in', () => {
  const isSame = (given: Record<string, fc.JsonValue>) => {
    const copied = copyArgs(given)
    expect(copied.status === 'ok' && JSON.stringify(copied.args)).toBe(JSON.stringify(given))
  }
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), isSame))
})

test('no arguments are an empty object', () => {
  expect(copyArgs(undefined)).toEqual({ status: 'ok', args: {} })
})

test.each([
  ['a list', [1], 'not an object'],
  ['a text', 'x', 'not an object'],
  ['null', null, 'not an object'],
  ['too many values', { list: Array(50_000).fill({}) }, '50000 values'],
  ['too much text', { text: 'x'.repeat(5_000_000) }, 'characters'],
  ['too deep', nest(70), '64 levels'],
])('%s is refused', (_what, given, why) => {
  expect(copyArgs(given)).toMatchObject({ status: 'refused', why: expect.stringContaining(why) })
})

test('one that holds itself is refused', () => {
  const given: Record<string, unknown> = {}
  given.self = given
  expect(copyArgs(given).status).toBe('refused')
})

test('a key that names a prototype stays a key', () => {
  const copied = copyArgs(JSON.parse('{"a":{"__proto__":{"x":1}}}'))
  expect(JSON.stringify(copied)).toBe('{"status":"ok","args":{"a":{"__proto__":{"x":1}}}}')
})

function nest(depth: number): object {
  return depth === 0 ? {} : { inner: nest(depth - 1) }
}
