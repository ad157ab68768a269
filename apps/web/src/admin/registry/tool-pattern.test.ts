import { expect, test } from 'vitest'
import { fitsPattern } from './tool-pattern.ts'

test.each([
  ['get_order', 'get_order', true],
  ['get_order', 'get_orders', false],
  ['get_*', 'get_order', true],
  ['get_*', 'get_a/b', false],
  ['*', 'a/b', true],
  ['**', 'a/b', true],
  ['a?c', 'abc', true],
  ['[a-c]x', 'bx', true],
  ['[^a-c]x', 'bx', false],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a.b', 'axb', false],
  ['[a', 'a', false],
  ['a\\', 'a', false],
])('%s on %s: %s', (pattern, name, fits) => {
  expect(fitsPattern(pattern, name)).toBe(fits)
})
