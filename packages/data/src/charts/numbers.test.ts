import type { NumberFormat } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { createNumberText, createTickText, toNumber } from './numbers.ts'

describe('createNumberText', () => {
  test.each([
    ['12345678901234567890.1230', undefined, 'en', '12,345,678,901,234,567,890.1230'],
    ['9007199254740993', undefined, 'zh', '9,007,199,254,740,993'],
    [0.1 + 0.2, undefined, 'en', '0.3'],
    [0.000012345, undefined, 'en', '0.000012345'],
    [0.1234, { style: 'percent' }, 'en', '12.3%'],
    ['0.5', { style: 'percent', decimals: 2 }, 'zh', '50.00%'],
    [1234.5, { style: 'currency', currency: 'CNY' }, 'zh', '¥1,234.50'],
    [1234.5, { style: 'currency', currency: 'USD', decimals: 0 }, 'en', '$1,235'],
    [123_456, { style: 'compact' }, 'en', '123.5K'],
    [123_456, { style: 'compact' }, 'zh', '12.3万'],
    ['345678901234', { style: 'compact' }, 'zh', '3456.8亿'],
    [null, undefined, 'zh', '(空值)'],
    ['NaN', undefined, 'en', 'NaN'],
    [1234.5, { style: 'currency' }, 'en', '1,234.5'],
  ] as const)('writes %j with %j in %s as %s', (value, format, language, text) => {
    expect(createNumberText(format as NumberFormat | undefined, language)(value)).toBe(text)
  })
})

test('the ticks of a long axis are short', () => {
  expect(createTickText(undefined, 'zh', 700_000)(500_000)).toBe('50万')
  expect(createTickText(undefined, 'en', 700_000)(500_000)).toBe('500K')
  expect(createTickText(undefined, 'en', 900)(450)).toBe('450')
  expect(createTickText({ style: 'percent' }, 'en', 0.4)(0.125)).toBe('12.5%')
})

test('digits are places on an axis, other texts and endless numbers are none', () => {
  expect(['12.5', '-3e2', 7].map(toNumber)).toEqual([12.5, -300, 7])
  const none = ['', '12 %', 'NaN', '0x10', Number.NaN, Infinity, 1e300, true, null, undefined]
  expect(none.map(toNumber).every((value) => value === null)).toBe(true)
})
