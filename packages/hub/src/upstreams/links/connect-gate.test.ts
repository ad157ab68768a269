import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createConnectGate } from './connect-gate.ts'

function create(places: number) {
  const clock = createFakeClock()
  const gate = createConnectGate({ places, holdMs: 2_000, clock })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const connect = (name: string, urgent = false, whose = 't1') =>
    gate.pass(
      () => {
        begun.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        return promise
      },
      { urgent, whose },
    )
  return { clock, begun, ends, connect }
}

test('a few connect at a time; who someone waits for is next', async () => {
  const { clock, begun, ends, connect } = create(2)
  const all = [connect('a'), connect('b'), connect('c'), connect('d', true)]
  await clock.advanceAsync(0)
  expect(begun).toEqual(['a', 'b'])
  ends.get('a')?.()
  await all[0]
  await clock.advanceAsync(0)
  expect(begun).toEqual(['a', 'b', 'd'])
})

test('tenants take turns, however many one of them has waiting', async () => {
  const { clock, begun, connect } = create(1)
  for (const name of ['a', 'b', 'c']) void connect(name)
  for (const name of ['x', 'y']) void connect(name, false, 't2')
  await clock.advanceAsync(8_000)
  expect(begun).toEqual(['a', 'b', 'x', 'c', 'y'])
})

test('those that hang hold nobody up for long', async () => {
  const { clock, begun, connect } = create(2)
  for (const name of ['a', 'b', 'c', 'd', 'e']) void connect(name)
  await clock.advanceAsync(2_000)
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('a place is passed on once, though its holder ends later', async () => {
  const { clock, begun, ends, connect } = create(1)
  for (const name of ['a', 'b', 'c']) void connect(name)
  await clock.advanceAsync(2_000)
  ends.get('a')?.()
  await clock.advanceAsync(0)
  expect(begun).toEqual(['a', 'b'])
})
