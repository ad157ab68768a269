import { expect, test } from 'vitest'
import { parseChinese } from './chinese-numerals.ts'

test.each([
  ['十二', 12, 1],
  ['一百二十', 120, 10],
  ['一千零五', 1_005, 1],
  ['三千五百万', 35_000_000, 1_000_000],
  ['三亿四千五百万', 345_000_000, 1_000_000],
  ['两万五千三百一十', 25_310, 10],
  ['一万亿', 1e12, 1e12],
  ['十二点五', 12.5, 0.1],
])('%s is %d, told to %d', (text, value, place) => {
  expect(parseChinese(text)).toEqual({ value, place })
})

test('other texts are no numbers', () => {
  expect(['', '点五', '三x', '三点'].map(parseChinese)).toEqual(Array(4).fill(undefined))
})
