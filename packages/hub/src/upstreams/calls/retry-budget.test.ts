import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

function takeAll(budget: { take(): boolean }): number {
  let taken = 0
  while (budget.take()) taken += 1
  return taken
}

test('a fifth of the calls may be sent again', () => {
  const budget = createRetryBudget({ clock: createFakeClock() })
  takeAll(budget)
  let taken = 0
  for (let call = 0; call < 1_000; call += 1) {
    budget.called()
    if (budget.take()) taken += 1
  }
  expect(taken).toBeGreaterThanOrEqual(199)
  expect(taken).toBeLessThanOrEqual(200)
})

test('a few a second may be, however few the calls', () => {
  const clock = createFakeClock()
  const budget = createRetryBudget({ clock })
  takeAll(budget)
  clock.advance(1_000)
  expect(takeAll(budget)).toBe(3)
  clock.advance(3_600_000)
  expect(takeAll(budget)).toBe(10)
})
