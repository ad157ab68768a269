import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showLines } from '../test-lines.ts'
import { createTheme } from '../theme.ts'
import { widthOf } from '../width.ts'
import { renderTable, sparkline } from './render-table.ts'

const theme = createTheme({ env: { NO_COLOR: '1' }, isTty: true })
const look = { theme, lang: 'en' } as const
const table = (titles: string[], ...rows: string[][]) => ({
  columns: titles.map((title) => ({ title })),
  rows,
})

describe('a table', () => {
  const sales = table(['区域', 'amount'], ['华东', '25,310'], ['South', '9,100.5'], ['西南', '0'])

  test('has numbers on the right, and a bar beside the one column of them', () => {
    expect(renderTable(sales, look, 40)).toMatchInlineSnapshot(`
      [
        "区域  │  amount",
        "──────┼─────────────────────────────────",
        "华东  │  25,310  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇",
        "South │ 9,100.5  ▇▇▇▇▇▇▇▇",
        "西南  │       0",
      ]
    `)
  })

  test('is aligned in the cells of a terminal, Chinese or not', async () => {
    const lines = renderTable(sales, look, 80)
    const { columnOf } = await showLines(lines, 80)
    expect([0, 2, 3, 4].map((line) => columnOf(line, '│'))).toEqual([6, 6, 6, 6])
    expect([2, 3].map((line) => columnOf(line, '▇'))).toEqual([17, 17])
  })

  test('is aligned as it is told', () => {
    const source = {
      columns: [
        { title: 'a', align: 'center' as const },
        { title: 'number', align: 'left' as const },
      ],
      rows: [
        ['xxxxx', '1'],
        ['y', '-2'],
      ],
    }
    expect(renderTable(source, look, 20)).toEqual([
      ...['  a   │ number', '──────┼───────', 'xxxxx │ 1', '  y   │ -2'],
    ])
  })

  test.each([
    ['names', ['v', 'order_id'], ['x', '7'], ['y', '8']],
    ['years', ['v', 'sold'], ['x', '2024'], ['y', '2025']],
    ['in front', ['n', 'v'], ['1', 'x'], ['2', 'y']],
    ['below zero', ['v', 'change'], ['x', '-7'], ['y', '8']],
  ])('numbers that are %s have no bar', (_, titles, ...rows) => {
    expect(renderTable(table(titles, ...rows), look, 80).join('')).not.toContain('▇')
  })

  test('takes room from the widest column first, and folds its cells', () => {
    const source = table(['id', 'text'], ['1', 'one two three four five six seven eight nine ten'])
    expect(renderTable(source, look, 20)).toEqual([
      ...['id │ text', '───┼────────────────', ' 1 │ one two three', '   │ four five six'],
      '   │ seven eight ni…',
    ])
  })

  test('leaves out the last columns where they cannot fit, and says how many', () => {
    const titles = Array.from({ length: 12 }, (_, i) => `column${i}`)
    const source = table(
      titles,
      titles.map((title) => `${title} 内容`),
    )
    const [more, head] = renderTable(source, look, 40)
    expect(more).toBe('+8 cols')
    expect(head?.split('│')).toHaveLength(4)
    expect(renderTable(source, { theme, lang: 'zh' }, 40)[0]).toBe('另有 8 列')
  })

  test('is ASCII where signs are', () => {
    const ascii = createTheme({ env: { NO_COLOR: '1', LANG: 'C' }, isTty: true })
    const source = table(['a', 'b'], ['x', '1'], ['y', '2'])
    expect(renderTable(source, { theme: ascii, lang: 'en' }, 30).join('')).toMatch(/^[ -~]*$/)
  })

  test('is never wider than told', () => {
    const cell = fc.oneof(fc.constantFrom('订单列表', '1', '', 'a b c', '👍'), fc.string())
    const rows = fc.array(fc.array(cell, { maxLength: 9 }), { maxLength: 8 })
    fc.assert(
      fc.property(rows, fc.integer({ min: 20, max: 200 }), (cells, width) => {
        const titles = Array.from({ length: 8 }, (_, i) => `列${i}`)
        for (const line of renderTable(table(titles, ...cells), look, width)) {
          expect(widthOf(line)).toBeLessThanOrEqual(width)
        }
      }),
    )
  })
})

test('a sparkline is as high as its values', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], theme.glyphs)).toBe('▁▂▃▄▅▆▇█')
  expect(sparkline([5, 5], theme.glyphs)).toBe('▄▄')
  expect(sparkline([], theme.glyphs)).toBe('')
})
