import { expect, test } from 'vitest'
import { findNode, isNewEnough } from './node.mjs'

test.each([
  ['v20.20.2', false],
  ['v24.0.0', false],
  ['v24.14.9', false],
  ['v24.15.0', true],
  ['v24.21.0', true],
  ['v26.3.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

test('finds a Node that runs TypeScript as it is', () => {
  expect(findNode()).toMatch(/node/)
})
