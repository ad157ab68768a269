import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantileOf, toSorted } from './quantiles.ts'
import { createTimes } from './times.ts'

const oneMicrosecond = 0.001

test('percentiles are those of the values themselves, to three digits [D27.4]', () => {
  const spread = fc
    .integer({ min: 0, max: 3_600_000_000 })
    .map((microseconds) => microseconds / 1000)
  const values = fc.array(spread, { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 1000 }), (times, permille) => {
      const recorder = createTimes()
      for (const time of times) recorder.record(time)
      const exact = quantileOf(toSorted(times), permille / 1000)
      const difference = Math.abs(recorder.percentile(permille / 10) - exact)
      expect(difference).toBeLessThanOrEqual(exact / 1000 + oneMicrosecond)
    }),
  )
})

test.each([3, 10, 475, 1000, 99_999])('each percentile of 1 to %i has its own rank', (count) => {
  const recorder = createTimes()
  for (let ms = 1; ms <= count; ms += 1) recorder.record(ms)
  for (const p of [0, 1, 40, 50, 90, 95, 99, 99.9, 100]) {
    const rank = Math.max(1, Math.ceil((count * p * 10) / 1000))
    expect(Math.abs(recorder.percentile(p) - rank)).toBeLessThanOrEqual(rank / 1000)
  }
})

test('mean, least and greatest are exact [D27.4]', () => {
  const recorder = createTimes()
  for (const ms of [0, 12.5, 1000]) recorder.record(ms)
  expect(recorder.summary()).toMatchObject({ count: 3, mean: 337.5, min: 0, max: 1000 })
})

test('a long tail is seen: one slow of a thousand is the p999, not the p99', () => {
  const recorder = createTimes()
  for (let i = 0; i < 998; i += 1) recorder.record(10)
  recorder.record(90_000)
  recorder.record(90_000)
  const { p99, p999 } = recorder.summary()
  expect(p99).toBeCloseTo(10, 1)
  expect(p999).toBeGreaterThan(89_900)
})

test('of nothing every figure is 0', () => {
  expect(new Set(Object.values(createTimes().summary()))).toEqual(new Set([0]))
})

test('what is longer than can be kept, or before its begin, is not lost', () => {
  const recorder = createTimes()
  recorder.record(1e12)
  recorder.record(-5)
  expect(recorder.summary()).toMatchObject({ count: 2, min: 0, max: 1e12 })
})
