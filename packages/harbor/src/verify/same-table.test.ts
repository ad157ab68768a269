import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOrdered } from './is-ordered.ts'
import { isSameTable } from './same-table.ts'

const anyOrder = { isRowOrderAsked: false }
const toTable = (rows: unknown[][]) => ({ columns: (rows[0] ?? []).map((_, i) => `c${i}`), rows })
const isSame = (a: unknown[][], b: unknown[][], options = anyOrder) =>
  isSameTable(toTable(a), toTable(b), options)

const city = [
  ['Lyon', 3],
  ['Bonn', 2],
]

test.each<[string, unknown, unknown]>([
  ['a DECIMAL as text and a number', '12.50', 12.5],
  ['a whole DECIMAL and an integer', '12.00', 12],
  ['a bigint and its text', 9007199254740993n, '9007199254740993'],
  ['a sum in another order', 0.1 + 0.2, 0.3],
  ['true and 1', true, 1],
  ['0 and a text of minus 0', 0, '-0'],
  ['null and null', null, null],
  ['a date and its text', new Date('2026-01-31T00:00:00Z'), '2026-01-31'],
  ['two spellings of a moment', '2026-01-31T08:00:00.000Z', '2026-01-31 08:00:00'],
  ['a padded CHAR', 'ab  ', 'ab'],
])('%s are the same [D27.4]', (_, a, b) => {
  expect(isSame([[a]], [[b]])).toBe(true)
})

test.each<[string, unknown, unknown]>([
  ['two keys', 123456789, 123456790],
  ['two keys beyond 2^53', '9007199254740993', '9007199254740992'],
  ['a code with zeros and a number', '007', 7],
  ['null and an empty text', null, ''],
  ['null and 0', null, 0],
  ['texts of another case', 'a', 'A'],
  ['33.33 and 33.34', 33.33, 33.34],
])('%s are not the same [D27.4]', (_, a, b) => {
  expect(isSame([[a]], [[b]])).toBe(false)
})

test('names of columns do not matter, nor the order of columns and rows [D27.4]', () => {
  const expected = { columns: ['city', 'n'], rows: city }
  const actual = {
    columns: ['count(*)', 'town'],
    rows: [
      [2, 'Bonn'],
      ['3', 'Lyon'],
    ],
  }
  expect(isSameTable(expected, actual, anyOrder)).toBe(true)
})

test('the order of rows matters where it was asked for', () => {
  const asked = { isRowOrderAsked: true }
  expect(isSame(city, city, asked)).toBe(true)
  expect(isSame(city, city.toReversed(), asked)).toBe(false)
})

test.each<[string, unknown[][], unknown[][]]>([
  ['a row too many', city, [...city, ['Rome', 1]]],
  ['a column too many', city, city.map((row) => [...row, 0])],
  ['a row twice and another not', [[1], [1], [2]], [[1], [2], [2]]],
  [
    'values of other rows',
    [
      [1, 'a'],
      [2, 'b'],
    ],
    [
      [1, 'b'],
      [2, 'a'],
    ],
  ],
])('%s is not the same', (_, a, b) => {
  expect(isSame(a, b)).toBe(false)
})

test('a table is the same as itself with rows and columns shuffled', () => {
  const cell = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
    fc.constant(null),
  )
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
  fc.assert(
    fc.property(table, (rows) => {
      const shuffled = rows.toReversed().map((row) => row.toReversed())
      expect(isSame(rows, shuffled)).toBe(true)
    }),
  )
})

test('many columns that are alike take no long', () => {
  const rows = Array.from({ length: 50 }, () => Array.from({ length: 12 }, () => 1))
  const other = rows.map((row, at) => (at === 0 ? [...row.slice(1), 2] : row))
  expect(isSame(rows, other)).toBe(false)
})

test('a query of comments that are not closed takes no long', () => {
  expect(isOrdered(`select 1 ${'/* '.repeat(30_000)} order by 1`)).toBe(false)
})

test.each([
  ['select a from t order by a', true],
  ['SELECT a FROM t ORDER\n BY a LIMIT 3', true],
  ['with x as (select 1) select * from x order by 1', true],
  ['select * from (select a from t order by a) s', false],
  ['select row_number() over (order by a) from t', false],
  ["select 'order by' from t", false],
  ['select a from t -- order by a', false],
  ['select a from t /* order by a */', false],
  ['select "order by" from t', false],
  ['select $$ ) order by $$ from t', false],
])('%s is ordered: %s', (sql, ordered) => {
  expect(isOrdered(sql)).toBe(ordered)
})
