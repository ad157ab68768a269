import { citationsSchema } from '@dataagent/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { column } from '../charts/test-charts.ts'
import { checkCitations } from './check-citations.ts'
import type { CitedQuery } from './known-values.ts'
import { bigQuery, citationCases, mistakenCases, salesQuery } from './test-citation-cases.ts'

const queries = [salesQuery, bigQuery]

function uncoveredIn(text: string): string[] {
  return checkCitations({ text, queries }).uncovered.map((span) => span.text)
}

describe('numbers that no query has given', () => {
  test.each(citationCases)('in %j', ({ text, uncovered }) => {
    expect(uncoveredIn(text)).toEqual(uncovered)
  })

  test('are found with few mistakes over the labelled replies', () => {
    let right = 0
    let marked = 0
    let expected = 0
    const all = [...citationCases, ...mistakenCases]
    for (const { text, uncovered } of all) {
      const left = [...uncovered]
      const found = uncoveredIn(text)
      for (const one of found) {
        const at = left.indexOf(one)
        if (at < 0) continue
        left.splice(at, 1)
        right += 1
      }
      marked += found.length
      expected += uncovered.length
    }
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
    process.stdout.write(
      `${all.length} replies, ${expected} uncovered numbers: precision ` +
        `${share(right, marked)}, recall ${share(right, expected)}\n`,
    )
    expect(all.length).toBeGreaterThanOrEqual(120)
    expect(right / marked).toBeGreaterThan(0.98)
    expect(right / expected).toBeGreaterThan(0.96)
  })

  test('are told with their place', () => {
    const text = '😀 华东 25,310.50,华南 99 万元'
    const { uncovered } = checkCitations({ text, queries })
    expect(uncovered).toEqual([{ from: 19, to: 23, text: '99 万' }])
    expect(text.slice(19, 23)).toBe('99 万')
  })

  test('are not those of the question and the SQL', () => {
    const text = 'Customers who spent over 5,000: 987.'
    expect(uncoveredIn(text)).toEqual(['5,000'])
    const given = ['who spent more than 5000?']
    expect(checkCitations({ text, queries, given }).uncovered).toEqual([])
    const compared = queries.map((query) => ({ ...query, sql: 'select a from t where b > 5000' }))
    expect(checkCitations({ text, queries: compared }).uncovered).toEqual([])
  })

  test.each([
    ['It rose 10 % [q1].', ['Show … LIMIT 10'], ['10 %']],
    ['It rose 10 % [q1].', ['Which rose by 10 percent?'], []],
    ['增长 10%。', ['增长百分之十的有哪些?'], []],
    ['There were 10 of them.', ['Which rose by 10 percent?'], ['10']],
    ['Over 3 million.', ['top 3 regions'], ['3 million']],
    ['Over 3 million.', ['more than 3,000,000?'], []],
    ['超过 1.2 万元。', ['超过 12,000 元的?'], []],
    ['超过 12,000 元。', ['超过 1.2万 的?'], []],
    ['Within 7 boxes.', ['in the last 7 days'], []],
  ])('%j repeats of %j all but %j', (text, given, uncovered) => {
    const found = checkCitations({ text, queries, given }).uncovered
    expect(found.map((span) => span.text)).toEqual(uncovered)
  })

  test('of the SQL are only what it compares with, and no share', () => {
    const sql = `SELECT CAST(a AS DECIMAL(18, 6)) FROM t WHERE b > 77 AND d >= '2026-01-15'
      AND c > now() - INTERVAL 9 MONTH ORDER BY 1 LIMIT 10`
    const asked = queries.map((query) => ({ ...query, sql }))
    const text = 'Over 77 boxes: 10 cars, 9 cats, 18 dogs, 15 cows, up 77 %.'
    const found = checkCitations({ text, queries: asked }).uncovered
    expect(found.map((span) => span.text)).toEqual(['10', '9', '18', '15', '77 %'])
  })

  test('are all where nothing was run', () => {
    expect(checkCitations({ text: 'It was 42.', queries: [] }).uncovered).toHaveLength(1)
  })
})

describe('citations', () => {
  test('are told apart by whether the query was run', () => {
    const text = 'East 987 [q1, q7], all 【q2】.'
    expect(checkCitations({ text, queries })).toEqual({
      cited: [
        { from: 9, to: 13, text: '[q1,', ref: 'q1', query_id: '0199-sales' },
        { from: 23, to: 27, text: '【q2】', ref: 'q2', query_id: '0199-big' },
      ].map((one, i) => (i === 0 ? { ...one, to: 14, text: '[q1, ' } : one)),
      dangling: [{ from: 14, to: 17, text: 'q7]' }],
      uncovered: [],
    })
  })
})

describe('a number with a citation directly behind it', () => {
  const columns = [column('sales', 'float')]
  const queries: CitedQuery[] = [
    { ref: 'q1', query_id: '0199-north', columns, rows: [[40.5]] },
    { ref: 'q2', query_id: '0199-south', columns, rows: [[12.25]] },
  ]

  test.each([
    ['North 40.5 [q1], South 12.25 [q2].', []],
    ['South 40.5 [q2].', ['40.5']],
    ['South 12.3 [q2], North 12.3 [q1].', ['12.3']],
    ['南区 **40.5** 元【q2】。', ['40.5']],
    ['南区 40.5 万元[q2]。', ['40.5 万']],
    ['South (40.5) orders [q2].', ['40.5']],
    ['Both 40.5 [q1, q2] and 12.25 [q1][q2], 12.25 [q1], [q2].', []],
    ['North 40.5, South 12.25 [q2].', []],
    ['It was 40.5 where the sales are those of [q2].', []],
    ['North 40.5\n[q2]', []],
    ['North 40.5 `x` [q2]', []],
    ['North 40.5 [q9].', []],
    ['North 40.5 [q9][q2].', ['40.5']],
  ])('is of that query: %j', (text, uncovered) => {
    expect(checkCitations({ text, queries }).uncovered.map((one) => one.text)).toEqual(uncovered)
  })

  test('may be one of the question', () => {
    const text = 'Over 40.5 [q2].'
    expect(checkCitations({ text, queries, given: ['over 40.5?'] }).uncovered).toEqual([])
  })
})

describe('any reply', () => {
  const pieces = fc.constantFrom(
    ...[
      '[q1]',
      '[q1,',
      '【q2】',
      '`',
      '```\n',
      '~~~',
      '\n',
      '\n\n',
      '1,234',
      '.5',
      '2024',
      '年',
      '月',
    ],
    ...[
      '%',
      '万',
      '百分之',
      '三千',
      '-',
      '(',
      '](',
      'http://',
      'top ',
      '第',
      ' ',
      'a',
      '１２',
      ':',
      '/',
    ],
  )

  test('gives spans that are places in it, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const found = checkCitations({ text, queries })
        citationsSchema.parse(found)
        for (const spans of [found.cited, found.dangling, found.uncovered]) {
          for (const [i, span] of spans.entries()) {
            expect(text.slice(span.from, span.to)).toBe(span.text)
            if (i > 0) expect(span.from).toBeGreaterThanOrEqual(spans[i - 1]!.to)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ...['1', '1,', '1,234,', '1.', '`', '``` `', '[q1,', '[q1', '](', '百分之', '一千', '一', '\n'],
    ...[
      '1 ',
      '2024-',
      '(1)',
      '- 1\n',
      '9%',
      '12:',
      '~~~\n',
      'http://a1',
      '¥-',
      '第1',
      '1/2',
      '[ ',
      '1万',
      '987 [q1] ',
      '987 元[q1][q2]',
      '987 [q7, q1]',
    ],
  ])('takes linear time of %j again and again', (piece) => {
    const time = (count: number) => {
      const text = piece.repeat(Math.ceil(count / piece.length))
      const started = performance.now()
      checkCitations({ text, queries })
      return performance.now() - started
    }
    time(20_000)
    const [small, large] = [time(50_000), time(400_000)]
    expect(large).toBeLessThan(Math.max(1_500, small * 40))
  })
})
