import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutMiddle, cutText, textWidth } from './text-width.ts'

test.each([
  ['abc', 3],
  ['华东', 4],
  ['ｱﾞ', 2],
  ['ＡＢ', 4],
  ['한국', 4],
  ['é', 1],
  ['💥', 2],
  ['𠀀', 2],
  ['', 0],
])('%s takes %i cells', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test('cuts at a cell and says so', () => {
  expect(cutText('华东地区', 5)).toBe('华东…')
  expect(cutText('华东地区', 6)).toBe('华东…')
  expect(cutText('华东地区', 8)).toBe('华东地区')
  expect(cutMiddle('Product with a long name 35', 15)).toBe('Product wi…e 35')
})

test('what is cut is never wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 40 }), (text, width) => {
      expect(textWidth(cutText(text, width))).toBeLessThanOrEqual(width)
      expect(textWidth(cutMiddle(text, width))).toBeLessThanOrEqual(width)
    }),
  )
})
