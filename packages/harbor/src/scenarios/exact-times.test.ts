import { createFakeClock, longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { runJob } from '../job/index.ts'
import { closedLoad, createTimedAsker, jobOf, rateLoad } from './test-asker.ts'
import { bimodal, exactPercentile, fixed, lognormal } from './test-distributions.ts'

const percentiles = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 }
const distributions = { fixed, lognormal, bimodal }
type Percentile = keyof typeof percentiles

const cases = (['fixed', 'lognormal', 'bimodal'] as const).flatMap((name) =>
  [50, 500, 2_000].map((rate) => ({ name, rate })),
)

describe('on a clock without noise every percentile is that of the drawn times [D27.4]', () => {
  test.each(cases)('$name at $rate a second', async ({ name, rate }) => {
    const count = longCount(1_000, 20_000)
    const clock = createFakeClock()
    const drawn = distributions[name](count)
    const asker = createTimedAsker({ tookMs: (n) => drawn[n] ?? 0, clock })
    const running = runJob(jobOf(asker, { clock, attempts: count, load: { ...rateLoad, rate } }))
    await clock.advanceAsync((count / rate) * 1_000 + Math.max(...drawn) + 2)
    const report = await running
    const { total, late } = report.times
    expect(report.counts).toMatchObject({ total: count, passed: count })
    for (const [percentile, share] of Object.entries(percentiles)) {
      const exact = exactPercentile(drawn, share)
      // A timer has a millisecond, the histogram three digits.
      expect(total[percentile as Percentile]).toBeGreaterThanOrEqual(exact * 0.999)
      expect(total[percentile as Percentile]).toBeLessThanOrEqual(exact * 1.001 + 1)
    }
    expect(total.max).toBeLessThanOrEqual(Math.max(...drawn) + 1)
    expect(late.max).toBeLessThanOrEqual(1)
    const last = Math.max(...drawn.map((ms, n) => (n / rate) * 1_000 + ms))
    expect(Math.abs(report.throughput / ((count * 1_000) / last) - 1)).toBeLessThan(0.02)
  })
})

describe('in real time they are what was waited since the planned moments [D27.4]', () => {
  const few = cases.filter((_, at) => at % 4 === 0)

  test.each(longCount(0, 1) === 1 ? cases : few)(
    '$name at $rate a second',
    {
      timeout: 120_000,
    },
    async ({ name, rate }) => {
      const count = rate * longCount(1, 10)
      const drawn = distributions[name](count)
      const asker = createTimedAsker({ tookMs: (n) => drawn[n] ?? 0 })
      const load = { ...rateLoad, rate }
      const { times, trials } = await runJob(jobOf(asker, { attempts: count, load }))
      // What else the machine does is waited for as well: it is in both, and measured apart.
      const first = trials.find(({ attempt }) => attempt === 1)
      const start = Number(asker.moments[0]?.begun) - Number(first?.late_ms)
      const waited = asker.moments.map(({ ended }, n) => ended - start - (n / rate) * 1_000)
      for (const [percentile, share] of Object.entries(percentiles)) {
        const told = times.total[percentile as Percentile]
        const exact = exactPercentile(waited, share)
        expect(Math.abs(told - exact)).toBeLessThan(exact * 0.02 + 5)
        // And nobody is told of less than it took: a timer may be two ticks early.
        expect(told).toBeGreaterThan(exactPercentile(drawn, share) * 0.999 - 2)
      }
    },
  )
})

test('users who ask in turn are measured as exactly', async () => {
  const clock = createFakeClock()
  const drawn = lognormal(2_000)
  const asker = createTimedAsker({ tookMs: (n) => drawn[n] ?? 0, clock })
  const load = { ...closedLoad, concurrency: 20 }
  const running = runJob(jobOf(asker, { clock, attempts: drawn.length, load }))
  const all = drawn.reduce((sum, ms) => sum + ms, 0)
  await clock.advanceAsync(all)
  const report = await running
  expect(report.times.total.p99).toBeCloseTo(exactPercentile(drawn, 0.99), -1)
  expect(report.times.total.mean).toBeCloseTo(all / drawn.length, 6)
  expect(report.times.late.max).toBe(0)
  expect(asker.most).toBe(20)
})
