import type { Difference } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { isOdd } from './is-odd.ts'

const between = (low: number | null, high: number | null): Difference => ({
  ...{ baseline: 1, current: 2, difference: 1, low, high, verdict: 'within_noise' },
})

test('an interval that leaves out 0 is odd beside “within noise”, and beside nothing else', () => {
  expect(isOdd(between(0.1, 0.3))).toBe(true)
  expect(isOdd(between(-3, -1))).toBe(true)
  expect(isOdd(between(-1, 1))).toBe(false)
  expect(isOdd(between(null, null))).toBe(false)
  expect(isOdd({ ...between(1, 3), verdict: 'better' })).toBe(false)
})
