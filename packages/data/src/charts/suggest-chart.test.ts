import type { DataRow } from '@dataagent/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkChart } from './check-chart.ts'
import { suggestChart } from './suggest-chart.ts'
import { anyChart } from './test-arbitraries.ts'
import { column } from './test-charts.ts'

const region = column('region', 'text')
const sales = column('sales', 'decimal')

describe('suggestChart', () => {
  test('one value is a number', () => {
    expect(suggestChart([sales], [['12.50']])).toEqual({ type: 'number', y: ['sales'] })
  })

  test('a few categories are bars, the largest first', () => {
    const rows = ['华东', '华南', '华北'].map((name, i): DataRow => [name, `${i}.5`])
    expect(suggestChart([region, sales], rows)).toEqual({
      ...{ type: 'bar', x: 'region', y: ['sales'], sort: 'descending' },
    })
  })

  test('many or long names lie', () => {
    const rows = Array.from({ length: 20 }, (_, i): DataRow => [`Shop ${i}`, i])
    expect(suggestChart([region, sales], rows)).toMatchObject({ type: 'bar', horizontal: true })
  })

  test.each([
    ['a date', column('day', 'date'), (i: number) => `2025-01-${10 + i}`],
    ['a month as text', column('m', 'text'), (i: number) => `2025-${10 + (i % 3)}`],
    ['a year', column('year', 'integer'), (i: number) => 2020 + i],
  ])('%s is a line', (_, time, valueAt) => {
    const rows = [0, 1, 2].map((i): DataRow => [valueAt(i), i * 10])
    expect(suggestChart([time, sales], rows)).toEqual({ type: 'line', x: time.name, y: ['sales'] })
  })

  test('time and a category are a line for each', () => {
    const rows = ['2025-01-01', '2025-02-01'].flatMap((day) =>
      ['a', 'b', 'c'].map((name): DataRow => [day, name, 1]),
    )
    const found = suggestChart([column('day', 'date'), region, sales], rows)
    expect(found).toEqual({ type: 'line', x: 'day', y: ['sales'], series: 'region' })
  })

  test('measures of another size are not put on the same axis', () => {
    const rows = [1, 2, 3].map((i): DataRow => [`2025-0${i}-01`, i * 1_000_000, i])
    const columns = [column('day', 'date'), sales, column('orders', 'integer')]
    expect(suggestChart(columns, rows)?.y).toEqual(['sales'])
  })

  test('two measures are points', () => {
    const rows = Array.from({ length: 9 }, (_, i): DataRow => [i, i * 2])
    const found = suggestChart([column('visits', 'integer'), sales], rows)
    expect(found).toEqual({ type: 'scatter', x: 'visits', y: ['sales'] })
  })

  test('two long categories are a heat map', () => {
    const rows = Array.from({ length: 84 }, (_, i): DataRow => [`h${i % 12}`, `d${i % 7}`, i])
    const columns = [column('hour', 'text'), column('weekday', 'text'), sales]
    expect(suggestChart(columns, rows)).toMatchObject({ type: 'heatmap', x: 'hour' })
  })

  test('what a table shows better has none', () => {
    expect(suggestChart([region], [['a'], ['b']])).toBeUndefined()
    expect(suggestChart([region, sales], [])).toBeUndefined()
    expect(
      suggestChart(
        [column('user_id', 'integer'), region],
        [
          [1, 'a'],
          [2, 'b'],
        ],
      ),
    ).toBeUndefined()
    const names = Array.from({ length: 500 }, (_, i): DataRow => [`name ${i}`, i])
    expect(suggestChart([region, sales], names)).toBeUndefined()
  })

  test('what is suggested fits', () => {
    fc.assert(
      fc.property(anyChart, ({ columns, rows }) => {
        const spec = suggestChart(columns, rows)
        if (spec !== undefined) expect(checkChart(spec, columns, rows.length)).toEqual([])
      }),
    )
  })
})
