import type { ChartSpec, ColumnKind, DataRow, DataValue } from '@dataagent/schema'
import fc from 'fast-check'
import { column, type TestChart } from './test-charts.ts'

const kinds: ColumnKind[] = [
  ...(['integer', 'decimal', 'float', 'boolean', 'text', 'date'] as const),
  ...(['timestamp', 'time', 'json', 'bytes', 'other'] as const),
]

/** Texts that break out where something is not escaped, looked up or counted well. */
const hostileText = fc.constantFrom(
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onload='x", ']]>', '&amp;'],
  ...['javascript:alert(1)', '<foreignObject>', '{a|b}', '{b}: {c}', '\u001b[31mred', '\u202eabc'],
  ...['__proto__', 'hasOwnProperty', 'constructor', 'toString', '', ' ', '\u0000', '\ud800'],
  ...['💥👨‍👩‍👧', '销售额', 'x'.repeat(3_000), '-', 'NaN', 'Infinity', '-Infinity', '2025-02-30'],
)

const value: fc.Arbitrary<DataValue> = fc.oneof(
  { weight: 4, arbitrary: fc.integer() },
  { weight: 2, arbitrary: fc.double() },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.bigInt().map(String) },
  { weight: 2, arbitrary: fc.tuple(fc.integer(), fc.nat()).map(([a, b]) => `${a}.${b}`) },
  { weight: 2, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
  { weight: 1, arbitrary: fc.constantFrom(1e308, -1e308, 5e-324, -0, '9'.repeat(200)) },
)

const names = fc.uniqueArray(
  fc.oneof(hostileText, fc.constantFrom('a', 'b', 'c', '区域')).filter((name) => name !== ''),
  { minLength: 1, maxLength: 5 },
)

/** Any chart over any result; most fit, some do not. */
export const anyChart: fc.Arbitrary<TestChart> = names.chain((all) => {
  const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...all) }, hostileText)
  const spec = fc.record(
    {
      type: fc.constantFrom('number', 'bar', 'line', 'area', 'pie', 'scatter', 'heatmap'),
      y: fc.array(name, { minLength: 1, maxLength: 3 }),
      x: name,
      series: name,
      title: fc.oneof(hostileText, fc.string()),
      x_title: hostileText,
      y_title: hostileText,
      format: fc.record(
        {
          style: fc.constantFrom('plain', 'percent', 'currency', 'compact'),
          currency: fc.constantFrom('CNY', 'USD', 'JPY', 'ZZZ'),
          decimals: fc.nat({ max: 6 }),
        },
        { requiredKeys: ['style'] },
      ),
      stacked: fc.boolean(),
      horizontal: fc.boolean(),
      sort: fc.constantFrom('given', 'ascending', 'descending'),
      limit: fc.integer({ min: 1, max: 1_000 }),
    },
    { requiredKeys: ['type', 'y'] },
  ) as fc.Arbitrary<ChartSpec>
  const kindsOfAll = fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...numeric) }, fc.constantFrom(...kinds)),
    { minLength: all.length, maxLength: all.length },
  )
  const rows: fc.Arbitrary<DataRow[]> = fc.array(
    fc.array(value, { minLength: all.length, maxLength: all.length }),
    { maxLength: 40 },
  )
  return fc.record({ spec, kindsOfAll, rows }).map(({ spec, kindsOfAll, rows }) => ({
    ...{ spec, rows },
    columns: all.map((one, i) => column(one, kindsOfAll[i]!)),
  }))
})

const numeric: ColumnKind[] = ['integer', 'decimal', 'float']
