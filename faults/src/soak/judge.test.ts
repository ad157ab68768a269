import { describe, expect, test } from 'vitest'
import { type Bound, judge } from './judge.ts'

const rounds = 30
const counted: Bound = { perRound: 0, slack: 2 }
const heap: Bound = { perRound: 10_000, slack: 0 }

const over = (at: (round: number) => number) => Array.from({ length: rounds }, (_, i) => at(i))
/** The same noise each time. */
const noise = (round: number) => ((round * 7_919) % 13) - 6

function isFlat(values: readonly number[], bound: Bound): boolean {
  const [verdict] = judge(new Map([['it', values]]), () => bound)
  return verdict?.isFlat ?? false
}

describe('a series is flat', () => {
  test.each([
    ['that stays the same', over(() => 40), counted],
    ['that shrinks', over((round) => 40 - round), counted],
    ['with noise', over((round) => 40 + (noise(round) % 3)), counted],
    ['with one outlier at its end', [...over(() => 40).slice(1), 400], counted],
    ['of a heap with noise', over((round) => 9e7 + 50_000 * noise(round)), heap],
    ['of a heap that grows by less than its bound', over((round) => 9e7 + 9_000 * round), heap],
  ])('%s', (_, values, bound) => {
    expect(isFlat(values, bound)).toBe(true)
  })
})

describe('a series is not flat', () => {
  test.each([
    ['that grows by one each round', over((round) => 40 + round), counted],
    ['that grows by one every fifth round', over((round) => 40 + Math.floor(round / 5)), counted],
    ['with a step that stays', over((round) => (round < 15 ? 40 : 44)), counted],
    ['that appears and grows', over((round) => Math.max(0, round - 12)), counted],
    ['that grows under its noise', over((round) => 40 + round + noise(round)), counted],
    [
      'of a heap that grows by more than its bound',
      over((round) => 9e7 + 11_000 * round + 5_000 * noise(round)),
      heap,
    ],
  ])('%s', (_, values, bound) => {
    expect(isFlat(values, bound)).toBe(false)
  })
})

test('a verdict has the medians and the growth of a round', () => {
  const series = new Map([['timers', [10, 10, 90, 11, 12, 13, 40, 16, 16]]])
  expect(judge(series, () => counted)).toEqual([
    { name: 'timers', first: 10, last: 16, perRound: 1, isFlat: false },
  ])
})
