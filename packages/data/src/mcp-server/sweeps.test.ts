import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openShopRoom } from '../tools/test-shop-room.ts'
import { createMemoryStore } from './memory-store.ts'
import { startSweeps } from './sweeps.ts'

const minute = 60_000
const hour = 60 * minute

test('queries in memory and their rows go when they are old', async () => {
  const clock = createFakeClock()
  const { queries: rows } = createMemoryStore()
  const store = { queries: rows }
  await using room = await openShopRoom({ queries: { store, clock, retentionMs: hour } })
  await room.call('run_sql', { source: 'Shop', sql: 'SELECT 1 AS one' })
  const [query] = await rows.list('default', { limit: 9, offset: 0 })
  const key = { tenant_id: 'default', query_id: query!.query_id }
  let swept = Promise.withResolvers<void>()
  await using _sweeps = startSweeps({
    ...{ clock, everyMs: 50 * minute, onError: swept.reject },
    sweep: () => room.queries.sweep().finally(() => swept.resolve()),
  })
  clock.advance(50 * minute)
  await swept.promise
  expect(await room.results.read(key, { offset: 0, limit: 9 })).toEqual([[1]])
  swept = Promise.withResolvers()
  await expect.poll(() => clock.pending()).toBe(1)
  clock.advance(50 * minute)
  await swept.promise
  expect(await rows.list('default', { limit: 9, offset: 0 })).toEqual([])
  expect(await rows.listDeleted(9)).toEqual([])
  await expect(room.results.read(key, { offset: 0, limit: 9 })).rejects.toThrow('not kept any more')
})

test('a sweep that fails is told, and the next one comes', async () => {
  const clock = createFakeClock()
  const errors: unknown[] = []
  await using _sweeps = startSweeps({
    ...{ clock, everyMs: minute, onError: (error) => errors.push(error) },
    sweep: () => Promise.reject(new Error('no disk')),
  })
  await clock.advanceAsync(2 * minute)
  expect(errors).toHaveLength(2)
})

test('no sweep comes after the end, which waits for one that runs', async () => {
  const clock = createFakeClock()
  const { promise, resolve } = Promise.withResolvers<void>()
  const told: string[] = []
  const sweeps = startSweeps({
    ...{ clock, everyMs: minute, onError: () => {} },
    sweep: () => promise.then(() => told.push('swept')),
  })
  clock.advance(minute)
  const ended = sweeps[Symbol.asyncDispose]().then(() => told.push('ended'))
  resolve()
  await ended
  expect(told).toEqual(['swept', 'ended'])
  expect(clock.pending()).toBe(0)
})
