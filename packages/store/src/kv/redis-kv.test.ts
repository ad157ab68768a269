import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { isAppError } from '@dataagent/schema'
import {
  canStartService,
  createFakeClock,
  createRedisScope,
  findService,
  longCount,
  type PrivateServer,
  startRedis,
  waitFor,
} from '@dataagent/testkit'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import type { Kv } from './kv.ts'
import { createRedisKv } from './redis-kv.ts'

const timeoutMs = 300
const canStart = await canStartService('redis')
const hasRedis = (await findService('redis')) !== undefined

describe.skipIf(!canStart)('Redis that fails', () => {
  test('away at start: typed errors at once, and ready when it comes', async () => {
    await using server = await startRedis()
    await server.stop()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    await expectAway(() => kv.get('k'), timeoutMs * 2)
    expect(kv.state).toMatchObject({ status: 'away' })
    await expectAway(() => kv.subscribe('c', () => {}), timeoutMs * 2)
    await server.start()
    await kv.ready(AbortSignal.timeout(5_000))
    await kv.set('k', 'v')
    expect(await kv.get('k')).toBe('v')
  })

  test('killed again and again in mid-run: every call ends, and it recovers by itself', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    for (let kill = 0; kill < longCount(3, 50); kill++) {
      await kv.ready(AbortSignal.timeout(5_000))
      const calls = Array.from({ length: 500 }, (_, i) => settle(anyCall(kv, i)))
      await server.kill()
      const codes = await Promise.all(calls)
      expect(codes.filter((code) => code !== 'ok' && code !== 'store_unavailable')).toEqual([])
      await expectAway(() => kv.count('k', { max: 1, windowMs: 1_000 }), timeoutMs * 2)
      await server.start()
    }
    await waitFor(() => kv.set('k', 'v').then(() => true))
    expect(await clientsOf(server)).toBe(1)
  })

  test('frozen: calls end within their time, later ones at once, and it recovers', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    await kv.set('k', 'v')
    await server.pause()
    const calls = Array.from({ length: 200 }, (_, i) => expectAway(() => anyCall(kv, i), 1_500))
    await Promise.all(calls)
    await waitFor(() => kv.state.status === 'away')
    await expectAway(() => kv.get('k'), 150)
    server.resume()
    await kv.ready(AbortSignal.timeout(5_000))
    expect(await kv.get('k')).toBe('v')
    await waitFor(async () => (await clientsOf(server)) === 1)
  })

  test('frozen while nothing is asked it is found out all the same', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    await kv.ready()
    const states: string[] = []
    kv.onStateChange(({ status }) => states.push(status))
    await server.pause()
    await waitFor(() => kv.state.status === 'away')
    server.resume()
    await waitFor(() => kv.state.status === 'ready')
    expect([states[0], states.at(-1)]).toEqual(['away', 'ready'])
  })

  test('subscriptions come back after a loss, and are told of the gap', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    const heard: string[] = []
    let gaps = 0
    const ended = await kv.subscribe('c', () => void heard.push('ended'))
    await kv.subscribe('c', (text) => void heard.push(text), { onGap: () => gaps++ })
    await ended()
    await kv.publish('c', 'before')
    await waitFor(() => heard.length === 1)
    expect(gaps).toBe(0)
    for (const lose of [() => server.kill(), freeze]) {
      const told = gaps + 1
      await lose()
      if (lose !== freeze) await server.start()
      await waitFor(() => gaps === told, { timeoutMs: 10_000 })
      await kv.ready(AbortSignal.timeout(5_000))
      await kv.publish('c', 'after')
      await waitFor(() => heard.length === 1 + told)
    }
    expect(heard).toEqual(['before', 'after', 'after'])
    await waitFor(async () => (await clientsOf(server)) === 2)

    async function freeze(): Promise<void> {
      await server.pause()
      await waitFor(() => kv.state.status === 'away')
      server.resume()
    }
  })

  test('emptied by FLUSHALL: a lease is lost at its next renewal, and fences still rise [F16]', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    const first = await kv.acquireLease('n', { ttlMs: 60_000, owner: 'a' })
    await kv.set('k', 'v')
    await onServer(server, (redis) => redis.flushall())
    expect(await kv.get('k')).toBeUndefined()
    expect(await first?.renew()).toBe(false)
    expect(first?.lost.aborted).toBe(true)
    const second = await kv.acquireLease('n', { ttlMs: 60_000, owner: 'b' })
    expect(second?.fence).toBeGreaterThan(first?.fence ?? Infinity)
  })

  test('scripts that were flushed are sent again', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    await kv.add('k', 1)
    await onServer(server, (redis) => redis.script('FLUSH'))
    const added = await Promise.all(Array.from({ length: 20 }, () => kv.add('k', 1)))
    expect(added.at(-1)).toEqual({ status: 'ok', value: 21 })
  })

  test('full: a typed error, and reads go on', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    await kv.set('k', 'v')
    await onServer(server, (redis) => redis.config('SET', 'maxmemory', '1'))
    for (const write of [() => kv.set('l', 'v'), () => kv.add('l', 1)]) {
      await expect(write()).rejects.toMatchObject({ code: 'storage_full' })
    }
    expect(await kv.get('k')).toBe('v')
  })

  test('a wrong password keeps it away, and is shown nowhere', async () => {
    await using server = await startRedis()
    const url = server.url.replace(/:[^:@/]+@/, ':canary-password@')
    await using kv = createRedisKv({ url, prefix: 'p:', timeoutMs })
    const error = await kv.set('k', 'canary-value').catch((caught) => caught)
    expect(error).toMatchObject({ code: 'store_unavailable' })
    await waitFor(() => kv.state.status === 'away' && /WRONGPASS/.test(kv.state.reason))
    expect(inspect([error, kv.state], { depth: 20, showHidden: true })).not.toMatch(/canary/)
  })

  test('an error from the server does not carry what was sent', async () => {
    await using server = await startRedis()
    await using kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    await onServer(server, (redis) => redis.lpush('p:k', 'not a string'))
    const error = await kv.compareAndSet('k', 'canary', 'canary').catch((caught) => caught)
    expect(error).toMatchObject({ code: 'store_unavailable' })
    expect(error.message).toContain('WRONGTYPE')
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/canary/)
  })

  test('closed it leaves no connection, and says so to whoever still calls', async () => {
    await using server = await startRedis()
    const kv = createRedisKv({ url: server.url, prefix: 'p:', timeoutMs })
    await kv.subscribe('c', () => {})
    expect(await clientsOf(server)).toBe(2)
    await kv[Symbol.asyncDispose]()
    await waitFor(async () => (await clientsOf(server)) === 0)
    await expectAway(() => kv.get('k'), 150)
    await expect(kv.ready()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(kv.state).toEqual({ status: 'closed' })
  })
})

describe.skipIf(!hasRedis)('Redis shared by nodes', () => {
  test('nodes whose clocks are a day apart agree on limits and leases [F22]', async () => {
    await using scope = await createRedisScope()
    const ahead = createFakeClock({ now: Date.now() + 24 * 3_600_000 })
    await using here = createRedisKv(scope)
    await using there = createRedisKv({ ...scope, clock: ahead })
    const limit = { max: 1, windowMs: 60_000 }
    expect(await here.count('k', limit)).toMatchObject({ status: 'ok' })
    expect(await there.count('k', limit)).toMatchObject({ status: 'limited' })
    const lease = await here.acquireLease('n', { ttlMs: 60_000, owner: 'here' })
    expect(await there.acquireLease('n', { ttlMs: 60_000, owner: 'there' })).toBeUndefined()
    await lease?.release()
    const next = await there.acquireLease('n', { ttlMs: 60_000, owner: 'there' })
    expect(next?.fence).toBeGreaterThan(lease?.fence ?? Infinity)
  })

  test('a value is the plain string under prefix and key', async () => {
    await using scope = await createRedisScope()
    await using kv = createRedisKv(scope)
    const key = `mcp:session:${randomUUID()}`
    await kv.set(key, '{"group_id":1}', { ttlMs: 3_600_000 })
    const redis = new Redis(scope.url)
    expect(await redis.get(scope.prefix + key)).toBe('{"group_id":1}')
    expect(await redis.ttl(scope.prefix + key)).toBeGreaterThan(3_590)
    redis.disconnect()
  })
})

test.each([
  'http://user:canary@host:6379',
  'redis://user:canary@host:99999',
  'redis://user:canary@host/zero',
  'redis://:canary%@host',
  'canary',
])('refuses %s as its address without showing it', (url) => {
  const refused = (error: unknown) =>
    isAppError(error, 'config_invalid') && !/canary/.test(inspect(error))
  expect(() => createRedisKv({ url, prefix: '' })).toThrow(expect.toSatisfy(refused))
})

function anyCall(kv: Kv, i: number): Promise<unknown> {
  const calls = [
    () => kv.get('k'),
    () => kv.set('k', 'v', { ttlMs: 1_000 }),
    () => kv.take('k'),
    () => kv.compareAndSet('k', undefined, 'v'),
    () => kv.count('k', { max: 1_000, windowMs: 1_000 }),
    () => kv.add('k', 1),
    () => kv.list('k'),
    () => kv.publish('c', 'x'),
    () => kv.leaseHolder('n'),
  ]
  return (calls[i % calls.length] as () => Promise<unknown>)()
}

async function settle(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (error) => (isAppError(error) ? error.code : String(error)),
  )
}

async function expectAway(call: () => Promise<unknown>, withinMs: number): Promise<void> {
  const from = performance.now()
  expect(await settle(call())).toBe('store_unavailable')
  expect(performance.now() - from).toBeLessThan(withinMs)
}

async function onServer<T>({ url }: PrivateServer, run: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url)
  try {
    return await run(redis)
  } finally {
    redis.disconnect()
  }
}

/** Connections to the server but the one that asks. */
async function clientsOf(server: PrivateServer): Promise<number> {
  const list = await onServer(server, (redis) => redis.client('LIST'))
  return String(list).trim().split('\n').length - 1
}
