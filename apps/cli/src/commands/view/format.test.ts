import { expect, test } from 'vitest'
import {
  formatAge,
  formatBytes,
  formatCost,
  formatCount,
  formatMs,
  formatShare,
  formatTokens,
} from './format.ts'

test.each([
  [0, '0'],
  [950, '950'],
  [1_234, '1.2k'],
  [34_200, '34k'],
  [999_600, '1M'],
  [1_500_000, '1.5M'],
])('%i tokens are %s', (tokens, shown) => {
  expect(formatTokens(tokens)).toBe(shown)
})

test('numbers are short and read without counting digits', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect([formatBytes(12), formatBytes(2_048), formatBytes(1_048_500)]).toEqual([
    ...['12 B', '2.0 kB', '1.0 MB'],
  ])
  expect([formatMs(12.4), formatMs(1_240), formatMs(61_000)]).toEqual([
    ...['12 ms', '1.2 s', '1 min 1 s'],
  ])
  expect([formatCost(1_500_000), formatCost(2_340)]).toEqual(['1.50', '0.0023'])
  expect([formatShare(0.001), formatShare(0.124), formatShare(0)]).toEqual(['<1%', '12%', '0%'])
})

test('an age is told in its largest unit', () => {
  const now = 1_000_000_000
  const ages = [1_000, 120_000, 7_200_000, 172_800_000].map((ms) => now - ms)
  expect(ages.map((at) => formatAge(at, now, 'en'))).toEqual([
    ...['just now', '2 min ago', '2 h ago', '2 d ago'],
  ])
  expect(ages.map((at) => formatAge(at, now, 'zh'))).toEqual([
    ...['刚刚', '2 分钟前', '2 小时前', '2 天前'],
  ])
})
