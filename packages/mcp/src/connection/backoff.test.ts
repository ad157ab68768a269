import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { backoffDelay } from '../backoff-delay.ts'
import { createBackoff } from './backoff.ts'

const span = { firstMs: 250, maxMs: 60_000 }

describe('backoffDelay', () => {
  const attempts = Array.from({ length: 12 }, (_, index) => index + 1)

  test('doubles up to the ceiling [A1.4]', () => {
    const delays = attempts.map((attempt) => backoffDelay(attempt, span, () => 0))
    expect(delays).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000,
    ])
  })

  test('is at least half of that, whatever the dice say [A1.4]', () => {
    const least = attempts.map((attempt) => backoffDelay(attempt, span, () => 1))
    expect(least).toEqual(attempts.map((attempt) => backoffDelay(attempt, span, () => 0) / 2))
    for (const attempt of attempts) {
      const delay = backoffDelay(attempt, span, Math.random)
      expect(delay).toBeLessThanOrEqual(backoffDelay(attempt, span, () => 0))
      expect(delay).toBeGreaterThanOrEqual(backoffDelay(attempt, span, () => 1))
    }
  })

  test('stays finite after more attempts than doubling can bear', () => {
    expect(backoffDelay(5_000, span, () => 0)).toBe(60_000)
  })
})

describe('createBackoff', () => {
  test('counts on while each success is short', () => {
    const clock = createFakeClock()
    const backoff = createBackoff({ ...span, clock, random: () => 0 })
    const delays = Array.from({ length: 4 }, () => {
      backoff.opened()
      clock.advance(4_999)
      return backoff.failed()
    })
    expect(delays).toEqual([250, 500, 1_000, 2_000])
  })

  test('a longer wait asks for a longer success', () => {
    const clock = createFakeClock()
    const backoff = createBackoff({ ...span, clock, random: () => 0 })
    const delays = Array.from({ length: 6 }, () => {
      backoff.opened()
      clock.advance(4_999)
      return backoff.failed()
    })
    expect(delays.at(-1)).toBe(8_000)
    backoff.opened()
    clock.advance(31_999)
    expect(backoff.failed()).toBe(16_000)
    backoff.opened()
    clock.advance(span.maxMs)
    expect(backoff.failed()).toBe(250)
  })

  test('begins anew after a success that has held', () => {
    const clock = createFakeClock()
    const backoff = createBackoff({ ...span, clock, random: () => 0 })
    backoff.opened()
    expect([backoff.failed(), backoff.failed()]).toEqual([250, 500])
    backoff.opened()
    clock.advance(span.maxMs)
    expect([backoff.failed(), backoff.attempt]).toEqual([250, 1])
  })

  test('a jump of the wall clock is no success that has held [F22]', () => {
    const clock = createFakeClock()
    const backoff = createBackoff({ ...span, clock, random: () => 0 })
    backoff.opened()
    backoff.failed()
    backoff.opened()
    clock.jump(86_400_000)
    expect(backoff.failed()).toBe(500)
  })

  test('lets a loss go without a wait once in a time of trouble', () => {
    const clock = createFakeClock()
    const backoff = createBackoff({ ...span, clock, random: () => 0 })
    backoff.opened()
    expect(backoff.failedOnce()).toBe(true)
    backoff.opened()
    expect(backoff.failedOnce()).toBe(false)
    expect(backoff.failed()).toBe(500)
    backoff.opened()
    clock.advance(span.maxMs)
    expect(backoff.failedOnce()).toBe(true)
  })
})
