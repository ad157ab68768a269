import { expect, test } from 'vitest'
import { createTickTime, createTimeText, isTimeLike, toTime } from './times.ts'

const day = 86_400_000

test('reads ISO times, those without a zone as if in UTC', () => {
  expect(toTime('2025-03-05')).toBe(Date.UTC(2025, 2, 5))
  expect(toTime('2025-03-05T10:20:30.123456')).toBe(Date.UTC(2025, 2, 5, 10, 20, 30, 123))
  expect(toTime('2025-03-05 10:20:30Z')).toBe(Date.UTC(2025, 2, 5, 10, 20, 30))
  expect(toTime('2025-03-05T10:20:30+08')).toBe(Date.UTC(2025, 2, 5, 2, 20, 30))
  const none = ['infinity', '2025-13-01', '12:30:00', '', null, 5, '290000-01-01']
  expect(none.map(toTime).every((time) => time === null)).toBe(true)
})

test('writes times as precisely as they are', () => {
  const times = [Date.UTC(2025, 2, 5), Date.UTC(2025, 2, 6)]
  expect(createTimeText(times, 'zh')(times[0]!)).toBe('2025年3月5日')
  expect(createTimeText(times, 'en')(times[0]!)).toBe('Mar 5, 2025')
  const months = [Date.UTC(2025, 2, 1), Date.UTC(2025, 3, 1)]
  expect(createTimeText(months, 'zh')(months[0]!)).toBe('2025年3月')
  expect(createTimeText(months, 'en')(months[0]!)).toBe('Mar 2025')
  expect(createTimeText([1, times[0]!], 'en')(times[0]! + 3_600_000)).toBe('Mar 5, 2025, 01:00:00')
})

test('a tick is named for the largest unit that it begins', () => {
  const [zh, en] = [createTickTime('zh'), createTickTime('en')]
  const year = Date.UTC(2025, 0, 1)
  const times = [year, Date.UTC(2025, 1, 1), year + day, year + 90_000 * 60, year + 1_000]
  expect(times.map(zh)).toEqual(['2025年', '2月', '1月2日', '01:30', '00:00:01'])
  expect(times.map(en)).toEqual(['2025', 'Feb', 'Jan 2', '01:30', '00:00:01'])
})

test('tells texts that name a time', () => {
  expect(['2025', '2025-03', '2025-Q1', '2025/3', '2025年3月'].every(isTimeLike)).toBe(true)
  expect(['20250', 'A-2025', '2025-03-xx', ''].some(isTimeLike)).toBe(false)
})
