import { expect, test } from 'vitest'
import { arrange } from '../../results/arrange.ts'
import { compareValues } from './compare-values.ts'

test.each([
  [
    'large integers by their digits',
    'integer',
    ['9007199254740993', 9007199254740991, '-12', '9007199254740992', 7],
    ['-12', 7, 9007199254740991, '9007199254740992', '9007199254740993'],
  ],
  [
    'decimals by their digits',
    'decimal',
    ['0.10', '-0.5', '10.2', '0.1000000000000000000001', '-10', '0', '2'],
    ['-10', '-0.5', '0', '0.10', '0.1000000000000000000001', '2', '10.2'],
  ],
  [
    'what is no number behind the others',
    'float',
    ['NaN', 1e30, 'Infinity', 2.5],
    [2.5, 1e30, 'Infinity', 'NaN'],
  ],
  ['nothing last', 'text', [null, 'b', 'a'], ['a', 'b', null]],
  ['times as they are written', 'date', ['2026-10-02', '2026-09-30'], ['2026-09-30', '2026-10-02']],
] as const)('orders %s', (_, kind, values, ordered) => {
  expect([...values].sort((a, b) => compareValues(kind, a, b))).toEqual(ordered)
})

test('equal amounts are equal, however they are written', () => {
  expect(compareValues('decimal', '1.50', '1.5')).toBe(0)
  expect(compareValues('integer', '007', 7)).toBe(0)
  expect(compareValues('decimal', '-0.00', '0')).toBe(0)
})

test.each([`${'0'.repeat(900_000)}x`, `1.${'0'.repeat(900_000)}x`, `1.${'0'.repeat(900_000)}1`])(
  'a cell with no end is compared at once',
  { timeout: 20_000 },
  (cell) => {
    expect(compareValues('decimal', '0', cell)).toBe(-1)
  },
)

test('rows are filtered by any cell and sorted by one, both of what is there', () => {
  const rows = [
    ['North', '10.5'],
    ['South', '9.5'],
    ['South-west', '100.25'],
  ]
  const by = (a: unknown, b: unknown) => compareValues('decimal', a, b)
  expect(arrange(rows, ' SOUTH', { column: 1, down: true }, by)).toEqual([rows[2], rows[1]])
  expect(arrange(rows, '', undefined, by)).toBe(rows)
})
