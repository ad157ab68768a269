import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createCallIds } from './call-ids.ts'

test('an id is a UUID of version 7, and none is given twice', () => {
  const nextId = createCallIds(createFakeClock({ now: 1_700_000_000_123 }))
  const ids = Array.from({ length: 2_000 }, nextId)
  for (const id of ids)
    expect(id).toMatch(/^018bcfe5-687b-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a later one sorts behind an earlier one', () => {
  const clock = createFakeClock({ now: 1_700_000_000_123 })
  const nextId = createCallIds(clock)
  const ids = Array.from({ length: 100 }, () => {
    clock.advance(7)
    return nextId()
  })
  expect(ids.toSorted()).toEqual(ids)
})
