import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyChart } from './test-arbitraries.ts'
import { column, testCharts } from './test-charts.ts'
import { toTextChart } from './text-chart.ts'
import { textWidth } from './text-width.ts'

const columns = [column('区域', 'text'), column('销售额', 'decimal')]

describe('toTextChart', () => {
  test('bars stand in line behind names of any script', () => {
    const spec = { type: 'bar', x: '区域', y: ['销售额'], title: '销售额' } as const
    const rows = [
      ['华东', '250.50'],
      ['South', '125.25'],
      ['内蒙古', null],
    ]
    const text = toTextChart({ ...spec, y: [...spec.y] }, columns, rows, {
      width: 40,
      language: 'zh',
    })
    expect(text.split('\n')).toEqual([
      '销售额',
      '华东   ██████████████████████████ 250.50',
      'South  █████████████              125.25',
      '内蒙古                            (空值)',
    ])
  })

  test('values below zero go the other way', () => {
    const rows = [
      ['a', 10],
      ['b', -10],
    ]
    const text = toTextChart({ type: 'bar', x: '区域', y: ['销售额'] }, columns, rows, {
      width: 30,
    })
    const [up, down] = text.split('\n')
    expect(up).toMatch(/^a {13}█+ +10$/)
    expect(down).toMatch(/^b █+ +-10$/)
  })

  test('a line is a sparkline with its ends', () => {
    const rows = [1, 2, 3, null, 5, 6, 7, 8].map((n, i) => [`2025-01-0${i + 1}`, n])
    const days = [column('day', 'date'), column('n', 'integer')]
    const text = toTextChart({ type: 'line', x: 'day', y: ['n'] }, days, rows, { width: 60 })
    expect(text).toContain('▁▂▃ ▅▆▇█')
    expect(text).toContain('1 – 8')
    expect(text).toContain('Jan 1, 2025 – Jan 8, 2025')
  })

  test.each(Object.entries(testCharts))('draws a %s chart', (_, { spec, columns, rows }) => {
    const text = toTextChart(spec, columns, rows, { width: 60, language: 'zh' })
    expect(text).not.toContain('图表与查询结果不符')
    expect(text.length).toBeGreaterThan(5)
  })

  test('no chart throws, is wider than asked or moves the terminal', () => {
    fc.assert(
      fc.property(anyChart, fc.integer({ min: 20, max: 120 }), ({ spec, columns, rows }, width) => {
        const lines = toTextChart(spec, columns, rows, { width }).split('\n')
        for (const line of lines) {
          expect(textWidth(line)).toBeLessThanOrEqual(width)
          expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
        }
      }),
      { numRuns: 300 },
    )
  })
})
