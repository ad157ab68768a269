import { expect, test } from 'vitest'
import { createEventQueue } from './event-queue.ts'

function setUp() {
  const calls: string[] = []
  const queue = createEventQueue<number>({
    onStart: () => calls.push('start'),
    onLeave: () => calls.push('leave'),
  })
  return { queue, calls }
}

test('gives what is pushed in order, whether it was pushed before or after it was asked for', async () => {
  const { queue, calls } = setUp()
  const reader = queue[Symbol.asyncIterator]()
  expect(calls).toEqual([])
  const first = reader.next()
  expect(calls).toEqual(['start'])
  for (const n of [1, 2, 3]) queue.push(n)
  queue.end()
  expect(await first).toEqual({ done: false, value: 1 })
  expect(await reader.next()).toEqual({ done: false, value: 2 })
  expect(await reader.next()).toEqual({ done: false, value: 3 })
  expect(await reader.next()).toEqual({ done: true, value: undefined })
  expect(calls).toEqual(['start'])
})

test('a reader that leaves is told of once, and nothing is kept for it', async () => {
  const { queue, calls } = setUp()
  queue.push(1)
  queue.push(2)
  for await (const n of queue) if (n === 1) break
  queue.push(3)
  expect(calls).toEqual(['start', 'leave'])
  expect(await Array.fromAsync(queue)).toEqual([])
})
