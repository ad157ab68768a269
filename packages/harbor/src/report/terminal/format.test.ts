import { describe, expect, test } from 'vitest'
import { compareReports } from '../compare-reports.ts'
import { toLivelyReport, toTestReport, toTrial, toWrong } from '../test-reports.ts'
import { toLine, widthOf } from './cells.ts'
import { formatComparison } from './format-comparison.ts'
import { formatReport } from './format-report.ts'

const esc = String.fromCharCode(27)
const plain = { lang: 'en', width: 100, colour: false } as const

describe('formatReport', () => {
  test('tells the share of passed, times and what failed [D27.5]', () => {
    const trials = [toTrial(), toWrong({ total_ms: 3000, prompt_tokens: 12_345 })]
    const text = formatReport(toTestReport({ trials, questions: [{ category: 'sales' }] }), plain)
    expect(text).toContain('Pass rate 50.0 %  95 % interval 9.5 % – 90.5 %')
    expect(text).toContain('Trials 2: passed 1, failed 1')
    expect(text).toMatch(/^Whole answer +2 +2 s +1 s/m)
    expect(text).toMatch(/^sales +█{10}░{10} +50\.0 % \(1\/2\)/m)
    expect(text).toContain('  failed q1 How many?\n    wrong_answer: keywords: missing: 12')
    expect(text).toContain('Tokens 12,445 in, 40 out')
  })

  test('a run that counted nothing says so, and has no figure of it', () => {
    const nothing = toTestReport({ trials: [], questions: [{ category: 'sales' }] })
    const text = formatReport(nothing, plain)
    expect(text).toContain('Pass rate –  95 % interval –\nTrials 0\n')
    expect(text).toMatch(/^sales .* – \(0\/0\) +– +– +–$/m)
    expect(text).toContain('! No trial was counted')
    expect(text).not.toContain('0.0 %')
  })

  test.each(['en', 'zh'] as const)('columns stand below each other (%s)', (lang) => {
    const text = formatReport(toLivelyReport(), { lang, width: 100, colour: false })
    const parts = text.split('\n\n').map((part) => part.split('\n'))
    const table = parts.find(([head]) => head?.includes('p99')) ?? []
    expect(new Set(table.map(widthOf)).size).toBe(1)
    expect(table).toHaveLength(5)
  })

  test.each([40, 60, 80, 200])('no line of others is wider than %i', (width) => {
    const report = toTestReport({
      name: '很长的名字'.repeat(50),
      questions: [{ question: '问题很长'.repeat(100), category: '分类'.repeat(60) }],
      trials: [toWrong()],
    })
    const lines = formatReport(report, { lang: 'zh', width, colour: true }).split('\n')
    const questions = lines.filter((line) => /很长/.test(line))
    const times = lines.filter((line) => /p99/.test(line))
    expect([questions, times].map(({ length }) => length)).toEqual([2, 1])
    for (const line of [...questions, ...times]) expect(widthOf(line)).toBeLessThanOrEqual(width)
  })

  test('without colour there is no escape sequence, whatever was answered', () => {
    const hostile = `${esc}]0;owned\u0007${esc}[2J\u202ex\u009b31m`
    const report = toTestReport({
      name: hostile,
      questions: [{ question: hostile, category: hostile }],
      trials: [
        toWrong({ failure: { kind: 'capability', code: 'wrong_answer', message: hostile } }),
      ],
    })
    const text = formatReport(report, plain)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(formatReport(report, { ...plain, colour: true })).toContain(`${esc}[1m`)
  })

  test('what weakens the figures is said', () => {
    const report = toTestReport({
      is_complete: false,
      asker: { cpu_seconds: 10, cpu_share: 0.97, loop_delay_p99_ms: 51 },
      load: {
        ...{ mode: 'rate', rate: 50, concurrency: 100, ramp_seconds: 0, warm_up_seconds: 0 },
        duration_seconds: 10,
      },
      trials: [toTrial({ late_ms: 2500 })],
    })
    const text = formatReport(report, plain)
    expect(text).toContain('! The run was interrupted')
    expect(text).toContain('! Asking took 97.0 % of a processor')
    expect(text).toContain('began 2.50 s or more late')
    expect(text).toContain('! One of 100 times the asker was 51 ms or more late')
    const busy = { cpu_seconds: 0.1, cpu_share: 0.97, loop_delay_p99_ms: 51 }
    const short = toTestReport({ asker: busy, started_at: 0, ended_at: 900 })
    expect(formatReport(short, plain)).not.toContain('Asking took')
    expect(formatReport(short, plain)).not.toContain('the asker was')
  })

  test('many failures are cut, and counted', () => {
    const trials = Array.from({ length: 30 }, (_, at) => toWrong({ question_id: `q${at}` }))
    expect(formatReport(toTestReport({ trials }), plain)).toContain('Not passed (30)')
    expect(formatReport(toTestReport({ trials }), plain)).toContain('and 10 more')
  })

  test('attempts that failed alike are one line, so that each question has its own', () => {
    const other = toWrong({ question_id: 'q2', status: 'timeout' })
    const trials = [...Array.from({ length: 30 }, () => toWrong()), other]
    const text = formatReport(toTestReport({ questions: [{}, {}], trials }), plain)
    expect(text).toContain('Not passed (31)\n  failed q1 ×30 How many?\n    wrong_answer')
    expect(text).toContain('\n  timeout q2 How many?\n')
    expect(text).not.toContain('more')
  })
})

describe('formatComparison', () => {
  const before = toTestReport({
    questions: [{}, {}],
    trials: [toTrial(), toWrong({ question_id: 'q2' })],
  })
  const after = toTestReport({
    run_id: 'run-2',
    ...{ questions: [{}, {}], trials: [toWrong(), toTrial({ question_id: 'q2' })] },
  })

  test('tells what broke and what was fixed', () => {
    const text = formatComparison(compareReports(before, after), plain)
    expect(text).toContain('run-1 → run-2')
    expect(text).toMatch(/^Pass rate +50\.0 % +50\.0 % +0\.0 pp .* within noise$/m)
    expect(text).toContain('Broken (1)\n  q1 passed → failed How many?')
    expect(text).toContain('Fixed (1)\n  q2 failed → passed How many?')
  })

  test('an interval that seems to tell more than its verdict is explained', () => {
    const comparison = compareReports(before, after)
    expect(formatComparison(comparison, plain)).not.toContain('of five figures')
    const mean_total_ms = {
      ...{ baseline: 1000, current: 1100, difference: 100, low: 5, high: 195 },
      verdict: 'within_noise' as const,
    }
    const text = formatComparison({ ...comparison, mean_total_ms }, plain)
    expect(text).toContain('may be within noise: of five figures')
  })

  test('in Chinese the columns stand below each other', () => {
    const text = formatComparison(compareReports(before, after), { ...plain, lang: 'zh' })
    const table = text.split('\n\n')[1]?.split('\n') ?? []
    expect(new Set(table.map(widthOf)).size).toBe(1)
    expect(text).toContain('在误差范围内')
  })
})

test.each([
  ['abc', 3],
  ['订单', 4],
  ['ａ１', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['👩‍💻', 2],
  ['한글', 4],
  [`${esc}[31mred${esc}[0m`, 3],
])('%s takes %i cells', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test('a wide character is not cut in half', () => {
  expect(toLine('订单总数', 6)).toBe('订单…')
})
