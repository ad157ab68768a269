import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('keys have their turn, one item at a time each', () => {
  const queue = createFairQueue<number>({ total: 10, perKey: 5 })
  for (const item of [1, 2, 3]) queue.add('a', item)
  queue.add('b', 4)
  expect(queue.take()).toEqual({ key: 'a', item: 1 })
  expect(queue.take()).toEqual({ key: 'b', item: 4 })
  expect(queue.take()).toBeUndefined()
  queue.release('a')
  expect(queue.take()).toEqual({ key: 'a', item: 2 })
})

test('a flood of one key leaves room for others, and the whole is bounded', () => {
  const queue = createFairQueue<number>({ total: 3, perKey: 2 })
  expect([1, 2, 3].map((item) => queue.add('a', item))).toEqual([true, true, false])
  expect(queue.add('b', 4)).toBe(true)
  expect(queue.add('c', 5)).toBe(false)
  expect(queue.drain()).toEqual([1, 2, 4])
  expect(queue.add('c', 5)).toBe(true)
})
