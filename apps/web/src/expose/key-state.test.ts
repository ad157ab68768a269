import { expect, test } from 'vitest'
import { endOfDay, toDay, toKeyState } from './key-state.ts'

const day = 24 * 3_600_000
const now = 1_800_000_000_000

test('a key opens its group until it expires or is revoked', () => {
  const key = { key_id: 'g.1', created_at: 0, can_copy: true, previous_until: null }
  const stateOf = (expires_at: number | null, revoked_at: number | null = null) =>
    toKeyState({ key: { ...key, expires_at, revoked_at } }, now)
  expect(toKeyState({ key: null }, now)).toBe('none')
  expect(stateOf(null)).toBe('active')
  expect(stateOf(now + 30 * day)).toBe('active')
  expect(stateOf(now + day)).toBe('ending')
  expect(stateOf(now)).toBe('expired')
  expect(stateOf(null, 5)).toBe('revoked')
})

test('a day is chosen to its end, and shown as the same day', () => {
  const end = endOfDay('2027-02-28')
  expect(toDay(end ?? null)).toBe('2027-02-28')
  expect(new Date(end ?? 0).getHours()).toBe(23)
  expect(endOfDay('')).toBeUndefined()
  expect(endOfDay('2027-99-99')).toBeUndefined()
  expect(toDay(null)).toBe('')
})
