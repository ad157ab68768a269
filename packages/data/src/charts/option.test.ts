import type { DataRow } from '@dataagent/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chartHeight, toChartOption } from './option.ts'
import { anyChart } from './test-arbitraries.ts'
import { column, testCharts } from './test-charts.ts'

const look = { language: 'en', theme: 'light' } as const

/** The parts of an option that these tests look at. */
interface Looked {
  title: { text: string; subtext: string }
  series: { data: (number | null)[] | (number | null)[][]; type: string }[]
  xAxis: { type: string; axisLabel: { formatter: (value: string) => string } }
  tooltip: { renderMode: string; formatter: (params: unknown) => string }
  aria: { label: { description: string } }
}

function optionOf(chart: Omit<Parameters<typeof toChartOption>[0], 'language' | 'theme'>): Looked {
  return toChartOption({ ...look, ...chart }) as unknown as Looked
}

const columns = [column('name', 'text'), column('n', 'decimal')]
const names = Array.from({ length: 100 }, (_, i): DataRow => [`name ${i}`, `${i}.10`])

describe('toChartOption', () => {
  test('sorts, limits and says how many are left out', () => {
    const spec = { type: 'bar', x: 'name', y: ['n'], sort: 'descending', limit: 10 } as const
    const option = optionOf({ spec: { ...spec, y: ['n'] }, columns, rows: names })
    expect(option.title.subtext).toBe('The other 90 are left out')
    expect(option.series[0]!.data.slice(0, 2)).toEqual([99.1, 98.1])
    expect(option.xAxis.axisLabel.formatter('0')).toBe('name 99')
  })

  test('says so in Chinese', () => {
    const spec = { type: 'bar' as const, x: 'name', y: ['n'], limit: 10 }
    const option = toChartOption({ ...look, spec, columns, rows: names, language: 'zh' })
    expect(option).toMatchObject({ title: { subtext: '其余 90 项未显示' } })
  })

  test('a NULL is a gap, and a series without a row at a time has no point there', () => {
    const rows: DataRow[] = [
      ...([
        ['2025-01-01', 'a', 1],
        ['2025-01-02', 'a', null],
      ] as DataRow[]),
      ...([
        ['2025-01-03', 'a', 3],
        ['2025-01-02', 'b', 4],
      ] as DataRow[]),
    ]
    const three = [column('day', 'date'), column('who', 'text'), column('n', 'integer')]
    const spec = { type: 'line' as const, x: 'day', y: ['n'], series: 'who' }
    const option = optionOf({ spec, columns: three, rows })
    const values = option.series.map(({ data }) => (data as number[][]).map((point) => point[1]))
    expect(option.xAxis.type).toBe('time')
    expect(values).toEqual([[1, null, 3], [4]])
  })

  test('a tooltip keeps every digit and is no HTML', () => {
    const rows: DataRow[] = [['<img src=x onerror=alert(1)>{a|b}', '12345678901234567890.10']]
    const option = optionOf({ spec: { type: 'bar', x: 'name', y: ['n'] }, columns, rows })
    expect(option.tooltip.renderMode).toBe('richText')
    const params = [{ dataIndex: 0, seriesIndex: 0, marker: '', value: 1 }]
    const text = option.tooltip.formatter(params)
    expect(text).toContain('12,345,678,901,234,567,890.10')
    expect(text).not.toMatch(/\{\w+\|/)
  })

  test('a long line is sampled, keeps its spike and says so', () => {
    const rows = Array.from({ length: 100_000 }, (_, i): DataRow => {
      return [new Date(i * 60_000).toISOString(), i === 77_777 ? 1_000 : i % 10]
    })
    const times = [column('at', 'timestamp'), column('n', 'integer')]
    const started = performance.now()
    const option = optionOf({ spec: { type: 'line', x: 'at', y: ['n'] }, columns: times, rows })
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(option.title.subtext).toBe('2,000 of 100,000 points are drawn')
    expect((option.series[0]!.data as number[][]).some((point) => point[1] === 1_000)).toBe(true)
  })

  test('a thousand series are the twenty largest', () => {
    const three = [column('x', 'text'), column('who', 'text'), column('n', 'integer')]
    const rows = Array.from({ length: 5_000 }, (_, i): DataRow => [`x${i % 5}`, `w${i % 1_000}`, i])
    const spec = { type: 'bar' as const, x: 'x', y: ['n'], series: 'who' }
    const option = optionOf({ spec, columns: three, rows })
    expect(option.series).toHaveLength(20)
    expect(option.title.subtext).toContain('980 more series are left out')
  })

  test('the shares of a pie are of all rows', () => {
    const option = optionOf({
      ...{ spec: { type: 'pie', x: 'name', y: ['n'], limit: 2 }, columns },
      rows: [
        ['a', '50'],
        ['b', '30'],
        ['c', '15'],
        ['d', '5'],
        ['e', '-7'],
      ],
    })
    const data = option.series[0]!.data as unknown as { value: number }[]
    expect(data.map(({ value }) => value)).toEqual([50, 30, 20])
    expect(option.title.subtext).toBe('1 values below zero are left out')
  })

  test('is told in words too', () => {
    const option = optionOf(testCharts.line)
    expect(option.aria.label.description).toBe(
      'Sales. Line chart of amount by month, region. Highest: West & <b>South</b> Dec 2025, ' +
        '161,000.50. Lowest: 华东 Jan 2025, 90,000.50.',
    )
  })

  test('lying bars get the height that they need', () => {
    const spec = { type: 'bar' as const, x: 'name', y: ['n'], horizontal: true, limit: 100 }
    expect(chartHeight({ ...look, spec, columns, rows: names })).toBeGreaterThan(2_000)
  })

  test('names that objects know by themselves are names like others', () => {
    const rows: DataRow[] = [
      ['hasOwnProperty', 1],
      ['__proto__', 2],
      ['constructor', 3],
    ]
    const option = optionOf({ spec: { type: 'bar', x: 'name', y: ['n'] }, columns, rows })
    expect(option.series[0]!.data).toEqual([1, 2, 3])
  })

  test('no chart over any result throws', () => {
    fc.assert(
      fc.property(anyChart, fc.boolean(), (chart, chinese) => {
        const language = chinese ? 'zh' : 'en'
        toChartOption({ ...chart, language, theme: 'dark', width: 300 })
      }),
      { numRuns: 500 },
    )
  })
})
