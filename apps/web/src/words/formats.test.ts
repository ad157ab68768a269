import { expect, test } from 'vitest'
import { formatsOf } from './formats.ts'

test.each([
  [0.0021, '0.0021'],
  [0.000_045_6, '0.000046'],
  [0.5, '0.5'],
  [12.345, '12.35'],
])('the cost %d is written as %s: never as nothing', (cost, text) => {
  expect(formatsOf('en').amount(cost)).toBe(text)
  expect(formatsOf('zh').amount(cost)).toBe(text)
})
