import type { Trial } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { measuredMsOf } from './report-parts.ts'

const hour = 3_600_000
const trial = (started_at: number, total_ms: number, late_ms = 0) =>
  ({ started_at, total_ms, late_ms }) as Trial

test('what is asked one after the other and at once is one time, however it is listed', () => {
  const asked = [trial(1_000, 500), trial(1_500.5, 400), trial(1_100, 2_000), trial(3_101, 900)]
  expect(measuredMsOf(asked)).toBe(3_001)
  expect(measuredMsOf(asked.toReversed())).toBe(3_001)
})

test('no pause before a part that was resumed counts, however many there are', () => {
  const parts = [0, 1, 2, 3].flatMap((at) => [
    trial(at * hour, 1_200),
    trial(at * hour + 1_202, 798),
  ])
  expect(measuredMsOf(parts)).toBe(8_000)
})

test('a short while between two answers belongs to the time, as in a run without a pause', () => {
  expect(measuredMsOf([trial(0, 500), trial(900, 100)])).toBe(1_000)
})

test('an asking counts from when it was planned', () => {
  expect(measuredMsOf([trial(1_100, 500, 100)])).toBe(500)
})

test('nothing was measured where nothing was asked', () => {
  expect(measuredMsOf([])).toBe(0)
})
