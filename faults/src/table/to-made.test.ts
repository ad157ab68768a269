import { expect, test } from 'vitest'
import { toMade } from './to-made.ts'

const startTime = Date.UTC(2026, 10, 18)

test('the page says which counts its run had, and nothing where it is not known', () => {
  expect(toMade({ startTime, counts: 'long' })).toBe(
    'Made 2026-11-18, with the counts of the long run.',
  )
  expect(toMade({ startTime, counts: 'short' })).toBe(
    'Made 2026-11-18, with the counts of `npm test`.',
  )
  expect(toMade({ startTime })).toBe('Made 2026-11-18, with counts that the report does not tell.')
})
