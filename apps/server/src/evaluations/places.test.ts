import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'

const { signal } = new AbortController()

test('so many have a place; the next gets that of the first to leave', async () => {
  const places = createPlaces(1)
  const first = await places.take(signal)
  const order: string[] = []
  const second = places.take(signal).then(() => order.push('second'))
  order.push('first leaves')
  first.leave()
  await second
  expect(order).toEqual(['first leaves', 'second'])
})

test('who gives up in the moment its turn comes leaves the place to the next', async () => {
  const places = createPlaces(1)
  const first = await places.take(signal)
  const stop = new AbortController()
  const second = places.take(stop.signal)
  const third = places.take(signal)
  first.leave()
  stop.abort('no more')
  await expect(second).rejects.toBe('no more')
  await third
})
