import { describe, expect, test } from 'vitest'
import { parseCsv } from './parse-csv.ts'

describe('separated values', () => {
  test('are a table with the first line as its head, numbers as numbers', () => {
    expect(parseCsv('name,price\nTea,3.5\nMilk,\n')).toEqual({
      columns: ['name', 'price'],
      rows: [
        ['Tea', 3.5],
        ['Milk', null],
      ],
      total: undefined,
    })
  })

  test('keep what is quoted: separators, quotes and line ends', () => {
    expect(parseCsv('a,b\r\n"x, ""y""","1\n2"\r\n')?.rows).toEqual([['x, "y"', '1\n2']])
  })

  test.each([
    ['semicolons', 'a;b\n1;2'],
    ['tabs', 'a\tb\n1\t2'],
    ['commas in a quoted head', '"a,x";b\n1;2'],
  ])('may be separated by %s', (_what, text) => {
    expect(parseCsv(text)?.rows).toEqual([[1, 2]])
  })

  test('with a mark of the encoding, without an end, and with rows of other lengths', () => {
    expect(parseCsv('\ufeffa,b\n1\n1,2,3')).toEqual({
      columns: ['a', 'b', '3'],
      rows: [
        [1, null, null],
        [1, 2, 3],
      ],
      total: undefined,
    })
  })

  test('numbers that would lose digits or zeros stay text', () => {
    expect(parseCsv('id\n007\n12')?.rows).toEqual([['007'], ['12']])
    expect(parseCsv('id\n12345678901234567890')?.rows).toEqual([['12345678901234567890']])
  })

  test('nothing is no table', () => {
    expect(parseCsv('')).toBeUndefined()
    expect(parseCsv('\n\n')).toBeUndefined()
  })
})
