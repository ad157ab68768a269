import { checkChart } from '@dataagent/data/charts'
import { chartTypeSchema, type DataColumn } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { firstChart, fitChart } from './fit-chart.ts'

const column = (name: string, kind: DataColumn['kind']): DataColumn => ({ name, kind, type: kind })
const columns = [
  ...[column('month', 'date'), column('region', 'text')],
  ...[column('sales', 'decimal'), column('orders', 'integer')],
]

describe('a chart that is changed by hand', () => {
  test.each(chartTypeSchema.options)('fits its result as %s', (type) => {
    const chart = fitChart({ type, x: 'region', y: ['sales', 'orders'] }, columns)
    expect(checkChart(chart, columns)).toEqual([])
  })

  test.each(chartTypeSchema.options)('fits as %s where it was split', (type) => {
    const chart = fitChart({ type, x: 'month', y: ['sales'], series: 'region' }, columns)
    expect(checkChart(chart, columns)).toEqual([])
  })

  test('has one measure once it is split, and x is never measured too', () => {
    const wanted = { type: 'line', x: 'sales', y: ['sales', 'orders'], series: 'region' } as const
    expect(fitChart({ ...wanted, y: [...wanted.y] }, columns)).toMatchObject({
      ...{ x: 'sales', series: 'region' },
    })
    const chart = fitChart({ type: 'bar', x: 'sales', y: ['sales', 'orders'] }, columns)
    expect(chart).toEqual({ type: 'bar', x: 'sales', y: ['orders'] })
  })

  test('keeps title and format', () => {
    const format = { style: 'currency', currency: 'CNY' } as const
    const chart = { type: 'bar', x: 'region', y: ['sales'], title: 'Sales', format } as const
    expect(fitChart({ ...chart, type: 'pie', y: ['sales'] }, columns)).toEqual({
      ...chart,
      type: 'pie',
    })
  })
})

test('where nothing is measured there is no chart', () => {
  expect(firstChart([column('region', 'text')])).toBeUndefined()
  expect(firstChart(columns)).toMatchObject({ type: 'bar', x: 'month', y: ['sales'] })
})
