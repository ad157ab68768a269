import { expect, test } from 'vitest'
import { estimateSize } from './size.ts'

const unlimited = Number.POSITIVE_INFINITY

test.each([
  ['a text', 'x'.repeat(1_000), 1_032],
  ['a number', 7, 32],
  ['nothing', null, 32],
  ['a list', ['ab', 1, []], 64 + 34 + 32 + 64],
  ['an object', { abc: 'de', f: { g: null } }, 64 + 3 + 34 + 1 + 64 + 1 + 32],
])('%s is counted with its texts, keys and values', (_, value, size) => {
  expect(estimateSize(value, unlimited)).toBe(size)
})

const many = 300_000
test.each([
  ['numbers', () => new Array(many).fill(1)],
  ['lists', () => Array.from({ length: many }, () => [])],
  ['fields', () => Object.fromEntries(Array.from({ length: many }, (_, i) => [`a${i}`, 1]))],
  ['texts', () => Array.from({ length: many }, () => '')],
])('of many %s no more is looked at than the limit allows', (_, create) => {
  const limit = 1_000_000
  const isReached: (string | number)[] = []
  const watched = new Proxy(create(), {
    get(target, key, receiver) {
      if (typeof key === 'string') isReached.push(key)
      return Reflect.get(target, key, receiver)
    },
  })
  expect(estimateSize(watched, limit)).toBeGreaterThan(limit)
  expect(isReached.length).toBeLessThan((3 * limit) / 32)
})

test('a value of any depth is counted', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  expect(estimateSize(deep, unlimited)).toBe(64 * 100_000 + 32)
})
