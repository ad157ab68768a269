import { expect, test } from 'vitest'
import { firstMinute, perMinute, rateOf } from './per-minute.ts'

const minuteMs = 60_000
const now = 10 * minuteMs + 30_000

test('each of the last minutes has what was counted of it; what is older is left out', () => {
  const counted = [
    { at: 10 * minuteMs, count: 300, bad: 0 },
    { at: 10 * minuteMs, count: 2, bad: 2 },
    { at: 9 * minuteMs, count: 1, bad: 0 },
    { at: 7 * minuteMs, count: 5, bad: 0 },
  ]
  const minutes = perMinute(counted, now, 3)
  expect(minutes.map(({ count }) => count)).toEqual([0, 1, 302])
  expect(minutes.at(-1)).toEqual({ at: 10 * minuteMs, count: 302, bad: 2 })
  expect(minutes[0]?.at).toBe(firstMinute(now, 3))
})

test('the rate is the mean of the last minutes', () => {
  const counted = [{ at: 10 * minuteMs, count: 2, bad: 0 }]
  expect(rateOf(perMinute(counted, now, 10), 4)).toBe(0.5)
})
