import { expect, test } from 'vitest'
import { fromDay, toDay } from './day.ts'

test('a day is read and written as a date field has it', () => {
  const begins = fromDay('2026-03-09') as number
  expect(new Date(begins).toTimeString().slice(0, 8)).toBe('00:00:00')
  expect(toDay(begins)).toBe('2026-03-09')
  expect(toDay(fromDay('2026-03-31', 'ends'))).toBe('2026-04-01')
})

test('what is no day is none', () => {
  expect([fromDay(''), fromDay('soon'), toDay(undefined)]).toEqual([undefined, undefined, ''])
})
