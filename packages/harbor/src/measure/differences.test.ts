import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toldApart } from './holm.ts'
import { differenceOfMeans } from './means.ts'
import { zOf } from './normal.ts'
import { differenceOfQuantiles } from './quantiles.ts'
import { createRandom } from './random.ts'
import { differenceOfShares, type Share, smallestVisibleChange, wilson } from './shares.ts'
import { studentQuantile } from './student.ts'

const share: fc.Arbitrary<Share> = fc
  .tuple(fc.nat(500), fc.nat(500))
  .map(([a, b]) => ({ passed: Math.min(a, b), total: Math.max(a, b) }))

describe('shares', () => {
  test.each([
    // Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i has the interval of the literature', (passed, total, low, high) => {
    const estimate = wilson(passed, total)
    expect(estimate.low).toBeCloseTo(low, 4)
    expect(estimate.high).toBeCloseTo(high, 4)
  })

  test.each([
    // The same volume, 873-890, table II, method 10.
    [{ passed: 48, total: 80 }, { passed: 56, total: 70 }, 0.0524, 0.3339],
    [{ passed: 3, total: 10 }, { passed: 9, total: 10 }, 0.1705, 0.809],
    [{ passed: 2, total: 7 }, { passed: 6, total: 7 }, 0.0582, 0.8062],
    [{ passed: 0, total: 29 }, { passed: 5, total: 56 }, -0.0381, 0.1926],
    [{ passed: 0, total: 20 }, { passed: 0, total: 10 }, -0.1611, 0.2775],
    [{ passed: 0, total: 20 }, { passed: 10, total: 10 }, 0.6791, 1],
  ])('from %o to %o the difference has that of the literature', (baseline, current, low, high) => {
    const interval = differenceOfShares(baseline, current)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  test('an interval holds its share and stays between 0 and 1', () => {
    fc.assert(
      fc.property(share, ({ passed, total }) => {
        const { value, low, high } = wilson(passed, total)
        expect([0, low, value, high, 1]).toEqual([0, low, value, high, 1].toSorted((a, b) => a - b))
      }),
    )
  })

  test('a difference is the other way round when baseline and current are', () => {
    fc.assert(
      fc.property(share, share, (a, b) => {
        const [there, back] = [differenceOfShares(a, b), differenceOfShares(b, a)]
        expect(there.low).toBeCloseTo(-back.high, 12)
        expect(there.high).toBeCloseTo(-back.low, 12)
      }),
    )
  })

  test('79 trials on each side show a change from 80 % to 60 %', () => {
    // n = (1.96 + 0.84)² (0.8 · 0.2 + 0.6 · 0.4) / 0.2² = 78.5
    expect(smallestVisibleChange({ passed: 62.8, total: 78.5 }, 78.5)).toBeCloseTo(0.2, 3)
  })

  test('more trials never hide a change that fewer show', () => {
    fc.assert(
      fc.property(share, fc.integer({ min: 1, max: 500 }), (baseline, trials) => {
        const [few, many] = [trials, trials * 2].map((n) => smallestVisibleChange(baseline, n))
        expect(many).toBeLessThanOrEqual((few ?? 0) + 1e-9)
      }),
    )
  })
})

describe('means', () => {
  test.each([
    // Any table of Student's t.
    [1, 12.7062],
    [2, 4.3027],
    [5, 2.5706],
    [30, 2.0423],
    [1e6, 1.96],
  ])('t of %i degrees of freedom is that of the tables', (freedom, t) => {
    expect(studentQuantile(0.975, freedom)).toBeCloseTo(t, 4)
  })

  test('the sleep data of Student have the interval that R gives', () => {
    // t.test(extra ~ group, data = sleep): -3.3654832 to 0.2054832, group 1 less group 2.
    const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
    const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    const { low, high } = differenceOfMeans(first, second)
    expect(low).toBeCloseTo(-0.2054832, 6)
    expect(high).toBeCloseTo(3.3654832, 6)
  })

  test('of fewer than two nothing can be said: the interval holds 0', () => {
    const { low, high } = differenceOfMeans([5], [100, 101])
    expect(low).toBeLessThan(0)
    expect(high).toBeGreaterThan(95)
  })
})

describe('quantiles', () => {
  const random = createRandom(7)
  const sample = (count: number, from: number) =>
    Array.from({ length: count }, () => from + 100 * random.uniform())

  test('the same values have the same interval each time', () => {
    const [a, b] = [sample(200, 0), sample(200, 30)]
    expect(differenceOfQuantiles(a, b, { at: 0.5 })).toEqual(
      differenceOfQuantiles(a, b, { at: 0.5 }),
    )
  })

  test('the short cut gives what resampling gives', () => {
    const [a, b] = [sample(60, 0), sample(80, 30)]
    const quick = differenceOfQuantiles(a, b, { at: 0.9 })
    const slow = bootstrap(a, b, 0.9)
    expect(Math.abs(quick.low - slow.low)).toBeLessThan(3)
    expect(Math.abs(quick.high - slow.high)).toBeLessThan(3)
  })

  test('the interval holds the true difference about 95 times in 100', () => {
    const held = Array.from({ length: 100 }, (_, seed) => {
      const { low, high } = differenceOfQuantiles(sample(100, 0), sample(100, 20), {
        at: 0.5,
        seed,
      })
      return low <= 20 && 20 <= high
    })
    expect(held.filter(Boolean).length / 100).toBeGreaterThan(0.9)
  })

  test.each([
    [0.5, 5, 6],
    [0.95, 58, 59],
  ])('of fewer than hold the quantile %d nothing can be said', (at, few, enough) => {
    const [a, b] = [sample(enough, 0), sample(enough, 10_000)]
    const { low, high } = differenceOfQuantiles(a.slice(0, few), b, { at })
    expect([low < 0, high > 0]).toEqual([true, true])
    expect(differenceOfQuantiles(a, b, { at }).low).toBeGreaterThan(9_000)
  })

  test('two runs that are alike are told apart no more than 5 times in 100', () => {
    const counts = [2, 3, 10, 20, 60]
    const told = counts.flatMap((count) =>
      Array.from({ length: 100 }, (_, seed) => {
        const options = { at: 0.95, seed: seed + 1 }
        const { low, high } = differenceOfQuantiles(sample(count, 0), sample(count, 0), options)
        return low > 0 || high < 0
      }),
    )
    expect(told.filter(Boolean).length / told.length).toBeLessThanOrEqual(0.05)
  })

  function bootstrap(a: number[], b: number[], at: number) {
    const draw = (values: number[]) =>
      values
        .map(() => values[Math.floor(random.uniform() * values.length)] ?? 0)
        .toSorted((x, y) => x - y)[Math.ceil(at * values.length) - 1] ?? 0
    const differences = Array.from({ length: 4000 }, () => draw(b) - draw(a))
    const sorted = differences.toSorted((x, y) => x - y)
    return { low: sorted[99] ?? 0, high: sorted[3899] ?? 0 }
  }
})

describe('several at once', () => {
  /** One that is clear at this alpha and above. */
  const clearAt = (p: number) => (alpha: number) =>
    alpha < p ? { low: -1, high: 2 } : { low: 1, high: 2 }

  test.each([
    // Any table of the normal distribution.
    [0.05, 1.95996],
    [0.025, 2.2414],
    [0.01, 2.57583],
    [0.001, 3.29053],
  ])('z of %d is that of the tables', (alpha, z) => {
    expect(zOf(alpha)).toBeCloseTo(z, 5)
  })

  test.each([
    // Each against 0.05 / 4, / 3, / 2 and / 1 in the order of their p, until one is not clear.
    [
      [0.01, 0.04, 0.03, 0.005],
      [true, false, false, true],
    ],
    [
      [0.02, 0.02, 0.02, 0.02],
      [false, false, false, false],
    ],
    [
      [0.012, 0.016, 0.024, 0.049],
      [true, true, true, true],
    ],
    [
      [0.012, 0.016, 0.026, 0.026],
      [true, true, false, false],
    ],
  ])('of p %j those are told that Holm tells: %j', (ps, told) => {
    expect(toldApart(ps.map(clearAt), 0.05)).toEqual(told)
  })

  test('a smaller alpha gives a wider interval of every kind', () => {
    const [a, b] = [10, 12].map((from) => Array.from({ length: 100 }, (_, at) => from + at))
    const kinds = [
      (alpha: number) => differenceOfMeans(a!, b!, { alpha }),
      (alpha: number) => differenceOfQuantiles(a!, b!, { at: 0.95, alpha }),
      (alpha: number) =>
        differenceOfShares({ passed: 60, total: 100 }, { passed: 80, total: 100 }, { alpha }),
    ]
    for (const intervalAt of kinds) {
      const [wide, usual] = [intervalAt(0.01), intervalAt(0.05)]
      expect(wide.high - wide.low).toBeGreaterThan(usual.high - usual.low)
    }
  })
})
