import { expect, test } from 'vitest'
import { arrangeUsage, fillDays, sumUsage } from './sum-usage.ts'

const row = (key: string, tokens: number) => ({
  ...{ key, runs: 2, errors: 1, prompt_tokens: tokens, completion_tokens: 1 },
  ...{ cached_tokens: 3, cost_micros: 10 },
})

test('rows are added up', () => {
  expect(sumUsage([row('a', 5), row('b', 7)], 'all')).toEqual({
    ...{ key: 'all', runs: 4, errors: 2, prompt_tokens: 12, completion_tokens: 2 },
    ...{ cached_tokens: 6, cost_micros: 20 },
  })
})

test('days keep their order, others are sorted by tokens', () => {
  const rows = [row('2026-02-01', 9), row('2026-01-01', 5), row('2026-03-01', 7)]
  const keys = (by: 'day' | 'user') => arrangeUsage(rows, by).map(({ key }) => key.slice(5, 7))
  expect(keys('day')).toEqual(['01', '02', '03'])
  expect(keys('user')).toEqual(['02', '03', '01'])
})

test('days without turns are there too, with nothing in them', () => {
  const from = Date.UTC(2026, 1, 27)
  const days = fillDays([row('2026-03-01', 9)], from, from + 2.5 * 86_400_000)
  expect(days.map(({ key }) => key)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect(days.map(({ runs }) => runs)).toEqual([0, 0, 2])
})
