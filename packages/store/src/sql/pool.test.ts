import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createPool, type ServerConnection } from './pool.ts'

test('hands out no more than its maximum and gives a returned connection to who waits longest', async () => {
  const { pool, opened } = aPool({ max: 2 })
  const [first] = [await pool.acquire(), await pool.acquire()]
  const waiting = [pool.acquire(), pool.acquire()]
  pool.release(first!)
  expect(await waiting[0]).toBe(first)
  expect([opened.length, pool.size()]).toEqual([2, 2])
})

test('a caller waits acquireTimeoutMs at the most [F15]', async () => {
  const { pool, clock } = aPool({ max: 1 })
  await pool.acquire()
  const waiting = pool.acquire()
  clock.advance(1_000)
  await expect(waiting).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('a connection that arrives after its caller gave up is not lost', async () => {
  const gate = Promise.withResolvers<void>()
  const { pool, clock, opened } = aPool({
    max: 1,
    before: (n) => (n === 2 ? gate.promise : undefined),
  })
  const first = await pool.acquire()
  const waiting = pool.acquire()
  first.destroy()
  pool.release(first)
  clock.advance(1_000)
  await expect(waiting).rejects.toMatchObject({ code: 'store_unavailable' })
  gate.resolve()
  expect(await pool.acquire()).toBe(opened[1])
})

test('a connection that broke while idle is not handed out again', async () => {
  const { pool } = aPool({ max: 1 })
  const first = await pool.acquire()
  pool.release(first)
  first.destroy()
  expect(await pool.acquire()).not.toBe(first)
  expect(pool.size()).toBe(1)
})

test('a failed connect frees its place', async () => {
  let refuse = true
  const { pool } = aPool({
    max: 1,
    before: () => (refuse ? Promise.reject(new Error('refused')) : undefined),
  })
  await expect(pool.acquire()).rejects.toThrow('refused')
  expect(pool.size()).toBe(0)
  refuse = false
  await pool.acquire()
})

test('an idle connection is ended after idleMs', async () => {
  const { pool, clock } = aPool({ max: 1 })
  pool.release(await pool.acquire())
  clock.advance(5_000)
  expect(pool.size()).toBe(0)
})

test('close refuses who waits, ends what is idle, and waits for what is in use', async () => {
  const { pool } = aPool({ max: 1 })
  const connection = await pool.acquire()
  const waiting = pool.acquire()
  const closed = pool.close()
  await expect(waiting).rejects.toThrow(/closed/)
  await expect(pool.acquire()).rejects.toThrow(/closed/)
  pool.release(connection)
  await closed
  expect([connection.isBroken(), pool.size()]).toEqual([true, 0])
})

function aPool({
  max,
  before,
}: {
  max: number
  before?: (n: number) => Promise<void> | undefined
}) {
  const clock = createFakeClock()
  const opened: ServerConnection[] = []
  let attempts = 0
  const connect = async () => {
    attempts += 1
    await before?.(attempts)
    const connection = aConnection()
    opened.push(connection)
    return connection
  }
  const pool = createPool({ connect, clock, max, acquireTimeoutMs: 1_000, idleMs: 5_000 })
  return { pool, clock, opened }
}

function aConnection(): ServerConnection {
  let broken = false
  return {
    run: async () => ({ rows: [], affected: 0 }),
    isBroken: () => broken,
    destroy: () => {
      broken = true
    },
  }
}
