import { expect, test } from 'vitest'
import { percentile, summarise } from './percentile.ts'

test('percentiles are values that were measured', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect(summarise(values)).toEqual({ count: 100, p50: 51, p99: 100, most: 100 })
  expect(percentile([7], 1)).toBe(7)
  expect(percentile([], 50)).toBeNaN()
})
