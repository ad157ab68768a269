import { comparisonSchema, type Trial } from '@dataagent/schema'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createRandom } from '../measure/index.ts'
import { compareReports } from './compare-reports.ts'
import { type Measure, measures } from './figures.ts'
import { toHtml } from './html/to-html.ts'
import { formatComparison } from './terminal/format-comparison.ts'
import { toTestReport, toTrial, toWrong } from './test-reports.ts'

interface Agent {
  /** The share that passes. */
  passes: number
  /** In the middle, in milliseconds; a few take many times as long. */
  takes: number
}

const usual: Agent = { passes: 0.8, takes: 1_000 }

/** So many trials of an agent, by chance. */
function draw({ passes, takes }: Agent, count: number, uniform: () => number) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  const trials = Array.from({ length: count }, (): Trial => {
    const make = uniform() < passes ? toTrial : toWrong
    const total_ms = takes * Math.exp(0.6 * normal())
    return make({ total_ms, first_event_ms: 10 + 40 * uniform() })
  })
  return toTestReport({ trials })
}

/** In what share of comparisons the two are told apart, by a verdict or by an interval alone. */
function compareOften(
  before: Agent,
  after: Agent,
  { count, of = measures }: { count: number; of?: readonly Measure[] },
) {
  const times = longCount(300, 3_000)
  const { uniform } = createRandom(11)
  const found = { verdicts: 0, intervals: 0 }
  for (let time = 0; time < times; time += 1) {
    const [earlier, later] = [draw(before, count, uniform), draw(after, count, uniform)]
    const comparison = compareReports(earlier, later)
    const differences = of.map((measure) => comparison[measure])
    if (differences.some(({ verdict }) => verdict !== 'within_noise')) found.verdicts += 1
    if (differences.some(({ low, high }) => Number(low) > 0 || Number(high) < 0))
      found.intervals += 1
  }
  return { byVerdict: found.verdicts / times, byInterval: found.intervals / times }
}

test.each([10, 60, 200])(
  'two runs of %i trials that are alike are told apart no more than 5 times in 100',
  { timeout: 120_000 },
  (count) => {
    const { byVerdict, byInterval } = compareOften(usual, usual, { count })
    expect(byVerdict).toBeLessThanOrEqual(0.05)
    // Of five figures, one or the other would be: why they are judged together.
    expect(byInterval).toBeGreaterThan(0.05)
  },
)

test.each<[string, Agent, Measure]>([
  ['80 % and 50 % that pass', { ...usual, passes: 0.5 }, 'pass_rate'],
  ['a mean half as long again', { ...usual, takes: 1_500 }, 'mean_total_ms'],
  ['a median half as long again', { ...usual, takes: 1_500 }, 'p50_total_ms'],
])(
  'of 100 trials, %s are found four times in five and more',
  { timeout: 120_000 },
  (_, after, measure) => {
    const { byVerdict } = compareOften(usual, after, { count: 100, of: [measure] })
    expect(byVerdict).toBeGreaterThan(0.8)
  },
)

test('a run that was never answered has no times, and nobody says how they compare', () => {
  const answered = toTestReport({ trials: [toTrial(), toTrial({ total_ms: 1_400 })] })
  const failure = { kind: 'infrastructure', code: 'unavailable', message: 'Not there.' } as const
  const refused = toWrong({ status: 'error', failure, total_ms: 3, first_event_ms: null })
  const report = toTestReport({ run_id: 'run-2', trials: [refused, refused] })
  const comparison = compareReports(answered, report)
  expect(comparisonSchema.parse(comparison)).toEqual(comparison)
  const { pass_rate, mean_total_ms, p50_total_ms, mean_first_event_ms } = comparison
  const nothing = { current: null, difference: null, low: null, high: null, verdict: 'unknown' }
  expect(pass_rate).toMatchObject({ baseline: 1, current: 0 })
  expect(mean_total_ms).toEqual({ baseline: 1_200, ...nothing })
  expect(p50_total_ms).toEqual({ baseline: 1_000, ...nothing })
  expect(mean_first_event_ms).toEqual({ baseline: 10, ...nothing })
  const text = formatComparison(comparison, { lang: 'en', width: 100, colour: false })
  expect(text).toMatch(/^Mean time +1\.2\d* s +– +– +– +unknown$/m)
  expect(toHtml(report, { lang: 'zh', comparison })).toContain('无法判断')
})

test('the change that is said to be visible is found about four times in five', {
  timeout: 120_000,
}, () => {
  const report = toTestReport({
    trials: Array.from({ length: 100 }, (_, at) => (at < 80 ? toTrial() : toWrong())),
  })
  const { smallest_visible_change: change } = compareReports(report, report)
  const after = { ...usual, passes: usual.passes - change }
  const { byVerdict } = compareOften(usual, after, { count: 100, of: ['pass_rate'] })
  expect(byVerdict).toBeGreaterThan(0.75)
})
