import { expect, test } from 'vitest'
import { toCell } from './cell.ts'

const context = { strings: [], dateStyles: new Set([1]), is1904: false }
const read = (value: string, more = {}) =>
  toCell('<c s="1">', `<v>${value}</v>`, { ...context, ...more })

test.each([
  ['45352', '2024-03-01'],
  ['45352.5', '2024-03-01T12:00:00'],
  ['2958465', '9999-12-31'],
  ['-693960', '0000-01-01'],
])('the number %s with the format of a date is %s', (value, text) => {
  expect(read(value)).toMatchObject({ kind: 'date', text })
})

test.each(['13800138000', '2958466', '-693961', '1e300', '-1e300', '99999999999999'])(
  'the number %s, which is no date of four digits, stays a number',
  (value) => {
    const cell = { kind: 'number', text: value, value: Number(value) }
    expect(read(value)).toEqual(cell)
    expect(read(value, { is1904: true })).toMatchObject({ kind: expect.any(String) })
  },
)

test.each([
  ['2024-03-01', { kind: 'date', text: '2024-03-01' }],
  ['+012024-03-01T00:00:00', { kind: 'text', text: '+012024-03-01T00:00:00' }],
])('the date %s as text', (value, cell) => {
  expect(toCell('<c t="d">', `<v>${value}</v>`, context)).toMatchObject(cell)
})
