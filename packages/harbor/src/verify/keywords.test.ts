import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchKeywords } from './keywords.ts'

const holds = (answer: string, keyword: string) => matchKeywords([keyword], answer).length === 1

test.each([
  ['Revenue was HIGH', 'revenue'],
  ['Die Straße', 'STRASSE'],
  ['订单总数为 128 单', '订单总数'],
  ['共１２８单', '128'],
  ['ＡＰＩ ｋｅｙ', 'api key'],
  ['total\n  revenue', 'total revenue'],
  ['total **revenue** is', 'total revenue'],
  ['the column `order_id`', 'column order_id'],
  ['1,234 orders', '1234'],
  ['1234 orders', '1,234'],
  ['1\u202f234\u202f567 €', '1,234,567'],
  ["CHF 1'234.50", '1234.50'],
  ['１，２３４ 单', '1234'],
  ['about 100,200,300', '200'],
  ['exactly 42.', '42'],
  ['it is 42.00 €', '42'],
  ['pi is 3.14159', '3.14'],
  ['on 31.12.2024', '2024'],
  ['version 1.2.3', '1.2'],
  ['on 2024-01-31', '2024'],
  ['the word\u200b list', 'word list'],
])('"%s" holds "%s" [D27.4]', (answer, keyword) => {
  expect(holds(answer, keyword)).toBe(true)
})

test.each([
  ['142 orders', '42'],
  ['420 orders', '42'],
  ['42.5 %', '42'],
  ['3.42', '42'],
  ['33.338', '33.33'],
  ['in 2024 500 orders', '2024500'],
  ['12,5', '125'],
  ['no orders', 'order id'],
])('"%s" does not hold "%s" [D27.4]', (answer, keyword) => {
  expect(holds(answer, keyword)).toBe(false)
})

test('matched keywords are told as the question spells them, in its order [D27.4]', () => {
  expect(matchKeywords(['B', 'zebra', 'ａ'], 'a and b')).toEqual(['B', 'ａ'])
})

test('every number is found in however it is grouped', () => {
  const number = fc.integer({ min: 0, max: 1e12 })
  fc.assert(
    fc.property(number, (value) => {
      const grouped = value.toLocaleString('en-US')
      expect(holds(`so ${grouped} in all`, String(value))).toBe(true)
      expect(holds(`so ${value} in all`, grouped)).toBe(true)
      expect(holds(`so ${value}7 in all`, grouped)).toBe(false)
    }),
  )
})

test('a long answer of one digit takes no long', () => {
  expect(holds('1'.repeat(200_000), '1'.repeat(500))).toBe(false)
})
