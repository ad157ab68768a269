import { describe, expect, test } from 'vitest'
import { createTheme } from '../theme.ts'
import { widthOf } from '../width.ts'
import { asked, called, createTold, ended, text } from './test-events.ts'

const columns = [
  { name: '区域', type: 'VARCHAR', kind: 'text' },
  { name: '销售额', type: 'DECIMAL(18,2)', kind: 'decimal' },
]
const rows = [
  ['华东', '25310.50'],
  ['North', '18020.00'],
  ['西部', '980.00'],
  [null, '12.00'],
]
const query = {
  ...{ query_id: 'id-1', ref: 'q1', source_id: 's', source_name: 'retail', sql: 'SELECT 1' },
  ...{ columns, rows, row_count: 4, kept_rows: 4, elapsed_ms: 38, as_of: 1 },
}
const block = (shown: object, tool_call_id?: string) => ({
  ...{ event_type: 'result_block', block: shown },
  ...(tool_call_id !== undefined && { tool_call_id }),
})
const chart = { type: 'bar', x: '区域', y: ['销售额'], title: '各区域销售额' }
const queried = (fields: object = {}, id?: string) =>
  block({ kind: 'query', query: { ...query, ...fields } }, id)
const charted = { kind: 'chart', query_id: 'id-1', ref: 'q1', chart }

describe('what tools show', () => {
  test('a query is an aligned table with bars, in place of the result of its call', () => {
    const { tell, lines } = createTold()
    tell(asked('各区域销售额？'), called('c1', 'run_sql', { sql: 'SELECT 1' }))
    tell(queried({}, 'c1'), ended('c1', { content: [], structuredContent: query }))
    expect(lines()).toMatchInlineSnapshot(`
      [
        "❯ 各区域销售额？",
        "",
        "✓ run_sql SELECT 1 · 38 ms",
        "  q1 · 4 rows · 38 ms · retail",
        "  区域  │   销售额",
        "  ──────┼───────────────────────────────────",
        "  华东  │ 25310.50  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇",
        "  North │ 18020.00  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇",
        "  西部  │   980.00  ▇",
        "  NULL  │    12.00  ▇",
      ]
    `)
  })

  test('of a long result the first rows, and where the others are', () => {
    const many = Array.from({ length: 50 }, (_, n) => [`r${n}`, `${n}`])
    const { tell, lines, transcript } = createTold()
    tell(queried({ rows: many, row_count: 48_217, kept_rows: 48_217 }))
    const shown = lines()
    expect(shown[0]).toBe('q1 · 48,217 rows · 38 ms · retail')
    expect(shown.at(-1)).toBe('… 48,209 more: /sql q1')
    expect(shown).toHaveLength(12)
    const whole = transcript.expandLast(60)
    expect(whole).toHaveLength(54)
    expect(whole?.at(-1)).toBe('… 48,167 more: /sql q1')
  })

  test('a result that could not be counted says so, and a verified query too', () => {
    const { tell, lines } = createTold({ lang: 'zh' })
    tell(queried({ row_count: null, kept_rows: 100_000, verified_question_id: 'v1' }))
    const shown = lines()
    expect(shown[0]).toBe('q1 · 超过 100,000 行 · 38 ms · retail · 已验证')
    expect(shown.at(-1)).toBe('… 还有更多：/sql q1')
  })

  test('digits that no double holds, and text that looks like a number, stay as they are', () => {
    const { tell, lines } = createTold()
    const wide = [
      { name: 'zip', type: 'VARCHAR', kind: 'text' },
      { name: 'total', type: 'DECIMAL(38,2)', kind: 'decimal' },
    ]
    tell(queried({ columns: wide, rows: [['00501', '12345678901234567890.12']], row_count: 1 }))
    expect(lines().at(-1)).toBe('00501 │ 12345678901234567890.12')
  })

  test('a chart is drawn as text from the query that was shown before', () => {
    const { tell, lines } = createTold({ lang: 'zh' })
    tell(queried())
    lines()
    tell(called('c2', 'make_chart', {}), block(charted, 'c2'), ended('c2', 'ok'))
    expect(lines()).toMatchInlineSnapshot(`
      [
        "✓ make_chart · 38 ms",
        "  各区域销售额",
        "  华东   █████████████████████████████████████████ 25,310.50",
        "  North  █████████████████████████████▎            18,020.00",
        "  西部   █▋                                           980.00",
        "  (空值) ▏                                             12.00",
      ]
    `)
  })

  test('a chart of a query that is not known, or not whole, says how to see it', () => {
    const { tell, lines } = createTold()
    tell(block(charted))
    expect(lines()).toEqual(['Chart of q1: /chart q1'])
    tell(queried({ row_count: 400 }))
    lines()
    tell(block(charted))
    expect(lines().at(-1)).toBe('Of the first 4 rows. All: /chart q1')
  })

  test('without signs but ASCII a chart is a table with bars', () => {
    const theme = createTheme({ env: { NO_COLOR: '1', LANG: 'C' }, isTty: true })
    const { tell, lines } = createTold({ theme })
    tell(queried(), block(charted))
    const drawn = lines().join('\n')
    expect(drawn).toContain('##')
    expect(drawn.replace(/\p{Script=Han}/gu, '')).toMatch(/^[\x20-\x7e\n]*$/)
  })

  test('an export is its path', () => {
    const { tell, lines } = createTold()
    const exported = { kind: 'export', query_id: 'id-1', ref: 'q1', format: 'csv', bytes: 99 }
    tell(block({ ...exported, path: 'outputs/\u001b[31msales.csv', rows: 1200 }))
    expect(lines()).toEqual(['outputs/sales.csv · q1 · 1,200 rows'])
  })

  test('no line is wider than the screen, and nothing in the data moves the terminal', () => {
    for (const width of [20, 33, 80]) {
      const { tell, lines } = createTold({ width })
      const bad = '\u001b]0;x\u0007长'.repeat(30)
      tell(queried({ rows: [[bad, '1']], row_count: 9, source_name: bad }), block(charted))
      for (const line of lines()) {
        expect(widthOf(line)).toBeLessThanOrEqual(width)
        expect(line).not.toMatch(/[\p{Cc}]/u)
      }
    }
  })
})

describe('what an answer rests on', () => {
  const span = (said: string) => ({ from: 0, to: 1, text: said })
  const cites = (dangling: string[], uncovered: string[]) => ({
    ...{ event_type: 'citations', cited: [] },
    ...{ dangling: dangling.map(span), uncovered: uncovered.map(span) },
  })

  test('is one dim line where some of it was never asked', () => {
    const { tell, lines } = createTold({ width: 80 })
    tell(text('It is 7 [q9], or 12.5.'), cites(['q9'], ['7', '12.5', '7']))
    expect(lines().at(-1)).toBe('Cites what was not run: q9 · Not from a query: 7, 12.5')
  })

  test('is nothing where all of it was', () => {
    const { tell, lines } = createTold()
    tell(text('It is 7 [q1].'), cites([], []))
    expect(lines()).toEqual(['It is 7 [q1].'])
  })
})
