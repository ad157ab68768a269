import { expect, test } from 'vitest'
import { createChangeIds } from './change-ids.ts'

test('each is after the one before, also within a millisecond and where the clock goes back', () => {
  let now = 1_794_982_905_261
  const next = createChangeIds({ now: () => now })
  const ids = Array.from({ length: 10_000 }, (_, at) => {
    if (at % 1_000 === 999) now += at < 5_000 ? 1 : -1
    return next()
  })
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
