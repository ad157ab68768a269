import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createWarnings } from './warnings.ts'

test('a burst is told, then one a second, with how many were left out', () => {
  const clock = createFakeClock()
  const told: string[] = []
  const warn = createWarnings({ onWarning: (text) => told.push(text), clock })
  for (let i = 0; i < 100; i += 1) warn(`early ${i}`)
  expect(told).toHaveLength(20)
  clock.advance(1000)
  for (let i = 0; i < 5; i += 1) warn(`late ${i}`)
  clock.advance(1000)
  warn('last')
  expect(told.slice(20)).toEqual([
    'late 0 (80 warnings before it left out)',
    'last (4 warnings before it left out)',
  ])
})
