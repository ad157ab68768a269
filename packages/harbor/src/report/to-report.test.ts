import { comparisonSchema, evaluationReportSchema, type Trial } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { compareReports } from './compare-reports.ts'
import { toLivelyReport, toTestReport, toTrial, toWrong } from './test-reports.ts'

describe('toReport', () => {
  const infrastructure = (code: string) => ({ kind: 'infrastructure' as const, code, message: '' })
  const trials: Trial[] = [
    toTrial({ question_id: 'q1', total_ms: 1000, cost: 0.5 }),
    toWrong({ question_id: 'q2', total_ms: 3000, tool_ms: 50 }),
    toTrial({
      question_id: 'q3',
      status: 'timeout',
      failure: infrastructure('timeout'),
      total_ms: 5000,
    }),
    toTrial({
      question_id: 'q3',
      status: 'error',
      failure: infrastructure('unavailable'),
      total_ms: 1,
    }),
  ]
  const questions = [
    { category: 'a', difficulty: 'easy', tags: ['x', 'y'] },
    { category: 'b', tags: ['x'] },
    {},
  ]
  const report = toTestReport({ trials, questions })

  test('has the share of passed, the mean time and whose faults there were [D27.5]', () => {
    expect(report.counts).toEqual({ total: 4, passed: 1, failed: 1, error: 1, timeout: 1 })
    expect(report.pass_rate.value).toBe(0.25)
    expect(report.failures).toEqual({ capability: 1, infrastructure: 2 })
    expect(report.times.total).toMatchObject({ count: 3, mean: 3000, max: 5000 })
    expect(report.throughput).toBe(0.4)
    expect(report).toMatchObject({ prompt_tokens: 400, completion_tokens: 80, cost: 0.5 })
  })

  test('is as the contract has it', () => {
    expect(evaluationReportSchema.parse(report)).toEqual(report)
    const lively = toLivelyReport()
    expect(evaluationReportSchema.parse(lively)).toEqual(lively)
  })

  test('groups by category, difficulty and tag, those without one beside them', () => {
    const toPairs = (groups: typeof report.by_tag) =>
      groups.map(({ name, counts }) => [name, counts.passed, counts.total])
    expect(toPairs(report.by_category)).toEqual([
      ['a', 1, 1],
      ['b', 0, 1],
      ['', 0, 2],
    ])
    expect(toPairs(report.by_difficulty)).toEqual([
      ['easy', 1, 1],
      ['', 0, 3],
    ])
    expect(toPairs(report.by_tag)).toEqual([
      ['x', 1, 2],
      ['y', 1, 1],
    ])
  })

  test('has no groups where no question is in one', () => {
    const plain = toTestReport()
    expect([plain.by_category, plain.by_difficulty, plain.by_tag]).toEqual([[], [], []])
  })

  test('of nothing is a report too', () => {
    const empty = toTestReport({ trials: [], measured_seconds: 0 })
    expect(evaluationReportSchema.parse(empty).pass_rate).toEqual({ value: 0, low: 0, high: 1 })
  })

  test('a long timeline is thinned without losing a count', () => {
    const timeline = Array.from({ length: 3601 }, (_, second) => ({
      ...{ second, begun: 2, ended: second % 3, not_passed: 0, under_way: 4 },
      ...{ p50_ms: 10, p99_ms: second },
    }))
    const thinned = toTestReport({ timeline }).timeline
    const sum = (points: typeof timeline) => points.reduce((total, { ended }) => total + ended, 0)
    expect(thinned.length).toBeLessThanOrEqual(600)
    expect(sum(thinned)).toBe(sum(timeline))
    expect(thinned[1]).toMatchObject({ second: 7, begun: 14, p50_ms: 10, p99_ms: 13 })
  })
})

describe('compareReports', () => {
  const repeat = (count: number, parts: Partial<Trial>, make = toTrial) =>
    Array.from({ length: count }, (_, at) => make({ attempt: at + 1, ...parts }))

  test('a run beside itself is within noise in everything', () => {
    const report = toLivelyReport()
    const comparison = compareReports(report, report)
    expect(comparisonSchema.parse(comparison)).toEqual(comparison)
    const { pass_rate, mean_total_ms, p50_total_ms, p95_total_ms, mean_first_event_ms } = comparison
    for (const difference of [pass_rate, mean_total_ms, p50_total_ms, p95_total_ms]) {
      expect(difference).toMatchObject({ difference: 0, verdict: 'within_noise' })
    }
    expect(mean_first_event_ms.verdict).toBe('within_noise')
    expect(comparison.questions.every(({ change }) => change === 'same')).toBe(true)
  })

  test('more passed is better, longer is worse', () => {
    const times = [900, 1000, 1100]
    const before = toTestReport({
      trials: times.flatMap((total_ms) => repeat(20, { total_ms }, toWrong)),
    })
    const after = toTestReport({
      trials: times.flatMap((total_ms) => repeat(20, { total_ms: total_ms * 3 })),
    })
    const { pass_rate, mean_total_ms, p50_total_ms } = compareReports(before, after)
    expect(pass_rate).toMatchObject({ baseline: 0, current: 1, verdict: 'better' })
    expect(mean_total_ms).toMatchObject({ difference: 2000, verdict: 'worse' })
    expect(p50_total_ms).toMatchObject({ baseline: 1000, current: 3000, verdict: 'worse' })
  })

  test('questions are paired by id, and only shared ones are counted', () => {
    const before = toTestReport({
      questions: [{}, {}, {}],
      trials: [toTrial(), toWrong({ question_id: 'q2' }), toTrial({ question_id: 'q3' })],
    })
    const after = toTestReport({
      questions: [{}, {}, { question_id: 'q4' }],
      trials: [toWrong(), toTrial({ question_id: 'q2' }), toWrong({ question_id: 'q4' })],
    })
    const { questions, pass_rate } = compareReports(before, after)
    expect(questions.map(({ question_id, change }) => [question_id, change])).toEqual([
      ...[
        ['q1', 'broken'],
        ['q2', 'fixed'],
        ['q3', 'removed'],
        ['q4', 'added'],
      ],
    ])
    expect(pass_rate).toMatchObject({ baseline: 0.5, current: 0.5 })
  })

  test('of several attempts most decide, of as many the worse', () => {
    const before = toTestReport({ trials: [toTrial(), toTrial(), toWrong()] })
    const after = toTestReport({ trials: [toTrial(), toWrong()] })
    expect(compareReports(before, after).questions[0]).toMatchObject({
      ...{ baseline: 'passed', current: 'failed', change: 'broken' },
    })
  })

  test('of single trials, and of none, nothing is said', () => {
    const one = toTestReport()
    const none = toTestReport({ trials: [] })
    const slow = toTestReport({ trials: [toTrial({ total_ms: 9000 })] })
    expect(compareReports(one, slow).mean_total_ms.verdict).toBe('within_noise')
    const comparison = compareReports(none, one)
    expect(comparisonSchema.parse(comparison).smallest_visible_change).toBe(1)
  })
})
