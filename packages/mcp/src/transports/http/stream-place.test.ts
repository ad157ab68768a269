import { expect, test } from 'vitest'
import { createStreamPlace } from './stream-place.ts'

const source = (told: { lastEventId?: string; retryMs?: number }) => ({
  ...told,
  push() {},
  end() {},
  stop() {},
})

const after = { end: { isFailure: false }, failure: { isFailure: true } }

test('waits longer from one attempt in vain to the next, and begins anew when it worked', () => {
  const place = createStreamPlace()
  const delays = [1, 2, 3].map(() => place.nextDelayMs(after.end))
  expect(delays).toEqual([1_000, 2_000, 4_000])
  place.worked()
  expect(place.nextDelayMs(after.failure)).toBe(1_000)
})

test('what the server asks for holds, but failures may take longer', () => {
  const place = createStreamPlace()
  place.note(source({ retryMs: 1_500 }))
  expect([1, 2, 3].map(() => place.nextDelayMs(after.end))).toEqual([1_500, 1_500, 1_500])
  expect(place.nextDelayMs(after.failure)).toBe(8_000)
})

test('knows whether a stream came further', () => {
  const place = createStreamPlace()
  expect(place.headers()).toBeUndefined()
  expect(place.note(source({ lastEventId: 'a' }))).toBe(true)
  expect(place.note(source({ lastEventId: 'a' }))).toBe(false)
  expect(place.note(source({}))).toBe(false)
  expect(place.headers()).toEqual({ 'last-event-id': 'a' })
})
