import { expect, test } from 'vitest'
import { defaultTimeoutMs, toTimeoutMs } from './timeout.ts'

test.each([
  [undefined, 500],
  [0, 500],
  [-1, 500],
  [Number.NEGATIVE_INFINITY, 500],
  [0.5, 0.5],
  [20, 20],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('%s is taken for %d', (given, expected) => {
  expect(toTimeoutMs(given, 500)).toBe(expected)
})

test('nothing said at all is 30 s', () => {
  expect(toTimeoutMs(undefined)).toBe(30_000)
  expect(defaultTimeoutMs).toBe(30_000)
})

test.each([
  [Number.NaN, 'NaN'],
  ['1000', 'a string'],
  [null, 'nothing'],
  [{}, 'an object'],
])('%s is a matter of configuration', (given, found) => {
  expect(() => toTimeoutMs(given as number)).toThrow(
    expect.objectContaining({
      kind: 'config',
      message: `mcp: timeoutMs must be a number of milliseconds, not ${found}`,
    }),
  )
})
