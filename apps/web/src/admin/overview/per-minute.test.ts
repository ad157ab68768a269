import { expect, test } from 'vitest'
import { perMinute, rateOf } from './per-minute.ts'

const now = 10 * 60_000 + 30_000

test('what happened is counted in its minute, what is older is left out', () => {
  const events = [
    { at: now },
    { at: now - 20_000, isBad: true },
    { at: now - 60_000 },
    { at: now - 3 * 60_000 },
  ]
  const minutes = perMinute(events, now, 3)
  expect(minutes.map(({ count }) => count)).toEqual([0, 1, 2])
  expect(minutes.at(-1)).toEqual({ at: 10 * 60_000, count: 2, bad: 1 })
})

test('the rate is the mean of the last minutes', () => {
  expect(rateOf(perMinute([{ at: now }, { at: now }], now, 10), 4)).toBe(0.5)
})
