import { expect, test } from 'vitest'
import type { Origin } from './carried.ts'
import { originsOf, toMade } from './to-made.ts'

const day = '2026-11-18'

test('the page says which counts its run had, and nothing where it is not known', () => {
  expect(toMade([{ day, counts: 'long' }])).toBe(
    'Made 2026-11-18, with the counts of the long run.',
  )
  expect(toMade([{ day, counts: 'short' }])).toBe('Made 2026-11-18, with the counts of `npm test`.')
  expect(toMade([{ day }])).toBe('Made 2026-11-18, with counts that the report does not tell.')
})

test('a page of several runs says what the marks of its files mean', () => {
  const of = (origin: Origin) => ({ title: 'a [F1]', file: 'a', status: 'passed', origin })
  const short = of({ day: '2026-11-19', counts: 'short' })
  const origins = originsOf([of({ day, counts: 'long' }), short, short])
  expect(toMade(origins)).toBe(
    'Made 2026-11-19, with the counts of `npm test`. ' +
      'Where a file says “long run, 2026-11-18”: 2026-11-18, with the counts of the long run.',
  )
})
