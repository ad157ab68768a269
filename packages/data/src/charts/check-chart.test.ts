import { describe, expect, test } from 'vitest'
import { checkChart } from './check-chart.ts'
import { column, testCharts } from './test-charts.ts'

const columns = [
  ...[column('region', 'text'), column('month', 'date'), column('total_amount', 'decimal')],
  ...[column('orders', 'integer'), column('detail', 'json')],
]

describe('checkChart', () => {
  test.each(Object.entries(testCharts))('finds no fault with a fitting %s chart', (_, chart) => {
    expect(checkChart(chart.spec, chart.columns, chart.rows.length)).toEqual([])
  })

  test('names the nearest columns for one that the result does not have', () => {
    const problems = checkChart({ type: 'bar', x: 'regoin', y: ['amount'] }, columns)
    expect(problems).toEqual([
      'The result has no column "regoin". The nearest are "region", "detail", "month".',
      'The result has no column "amount". The nearest are "total_amount", "month", "region".',
    ])
  })

  test('says which columns are numeric when a text is to be measured', () => {
    expect(checkChart({ type: 'bar', x: 'month', y: ['region'] }, columns)).toEqual([
      'y must be numeric, and "region" is of kind text. Numeric columns are "total_amount", "orders".',
    ])
  })

  test('advises an aggregate where there is nothing to measure', () => {
    const text = [column('a', 'text'), column('b', 'text')]
    expect(checkChart({ type: 'bar', x: 'a', y: ['b'] }, text)[0]).toContain('COUNT(*)')
  })

  test.each([
    [{ type: 'heatmap', x: 'month', y: ['orders'] }, 'needs series'],
    [{ type: 'pie', x: 'region', y: ['orders', 'total_amount'] }, 'one measure'],
    [{ type: 'line', y: ['orders'] }, 'needs x'],
    [{ type: 'scatter', x: 'region', y: ['orders'] }, 'must be a number or a time'],
    [{ type: 'bar', x: 'region', y: ['orders', 'total_amount'], series: 'month' }, 'one measure'],
    [{ type: 'bar', x: 'region', y: ['orders'], series: 'region' }, 'used twice'],
    [{ type: 'bar', x: 'orders', y: ['orders'] }, 'different columns'],
    [{ type: 'bar', x: 'region', y: ['orders', 'orders'] }, 'twice'],
    [{ type: 'bar', x: 'detail', y: ['orders'] }, 'cannot be an axis'],
    [{ type: 'number', y: ['orders'], format: { style: 'currency' } }, 'needs currency'],
  ] as const)('refuses %j', (spec, words) => {
    expect(checkChart({ ...spec, y: [...spec.y] }, columns).join(' ')).toContain(words)
  })

  test('asks for one row where a number is to be shown', () => {
    expect(checkChart({ type: 'number', y: ['orders'] }, columns, 12)[0]).toContain('12 rows')
  })

  test('asks for names of their own where two columns share one', () => {
    const twice = [column('id', 'integer'), column('id', 'integer'), column('n', 'integer')]
    expect(checkChart({ type: 'bar', x: 'id', y: ['n'] }, twice)[0]).toContain('with AS')
  })
})
