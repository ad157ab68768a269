import { randomUUID } from 'node:crypto'
import type { Session } from '@dataagent/schema'
import { createRedisScope, findService, startRedis, waitFor } from '@dataagent/testkit'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisSessionStore, type RedisSessionStore } from './redis-session-store.ts'

const entry = { kind: 'text', json: '{"content":"a"}' }
const page = { limit: 10, offset: 0 }

function aSession(): Session {
  return {
    ...{ session_id: randomUUID(), tenant_id: 't', user_id: 'u', assistant_id: 'a' },
    ...{ created_at: 1, last_active: 1, metadata: {} },
    state: { thread_id: 't', auto_approve: false, status: 'idle' },
  }
}

describe.skipIf(!(await findService('redis')))('sessions on Redis', () => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  let open: (ttlMs: number) => RedisSessionStore
  let redis: Redis
  let prefix: string

  beforeAll(async () => {
    const scope = stack.use(await createRedisScope())
    prefix = scope.prefix
    redis = new Redis(scope.url)
    stack.defer(() => redis.disconnect())
    open = (ttlMs) => stack.use(createRedisSessionStore({ ...scope, ttlMs }))
  })

  const keysOf = async (session_id: string) => {
    const all = await redis.keys(`${prefix}*`)
    return all.filter((key) => key.includes(session_id))
  }

  test('a session that nothing is written to is gone after its time, with all it has', async () => {
    const { sessions, events, messages } = open(2_000)
    const session = aSession()
    const { session_id } = session
    await sessions.create(session)
    await events.append(session_id, [entry])
    const message = { message_id: 'm', role: 'user', content: '', created_at: 1 } as const
    await messages.add([{ ...message, session_id, seq: 1 }])
    const isGone = async () => (await keysOf(session_id)).length === 0
    await waitFor(isGone, { timeoutMs: 20_000 })
    expect(await sessions.get('t', session_id)).toBeUndefined()
    expect(await sessions.listByUser('t', 'u', page)).toEqual([])
    expect(await sessions.countByUser('t', 'u')).toBe(0)
    await expect(events.append(session_id, [entry])).rejects.toMatchObject({ code: 'not_found' })
    expect(await sessions.cleanupExpired({ before: 2, limit: 10 })).toEqual([session_id])
    expect(await sessions.cleanupExpired({ before: 2, limit: 10 })).toEqual([])
  })

  test('every write gives it its whole time again', async () => {
    const { sessions, events, messages } = open(100_000)
    const session = aSession()
    const { session_id } = session
    await sessions.create(session)
    const writes = [
      () => sessions.update('t', session_id, () => ({ last_active: 2 })),
      () => events.append(session_id, [entry]),
      () => messages.add([{ ...aMessage, session_id }]),
    ]
    for (const write of writes) {
      for (const key of await keysOf(session_id)) await redis.pexpire(key, 50_000)
      await write()
      for (const key of await keysOf(session_id)) {
        expect(await redis.pttl(key)).toBeGreaterThan(90_000)
      }
    }
    expect(await keysOf(session_id)).toHaveLength(3)
  })

  test('a log that Redis has dropped takes no further event', async () => {
    const { sessions, events } = open(100_000)
    const session = aSession()
    await sessions.create(session)
    await events.append(session.session_id, [entry])
    const keys = await keysOf(session.session_id)
    await redis.del(keys.filter((key) => key.endsWith(':events')))
    const append = events.append(session.session_id, [entry])
    await expect(append).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('noeviction'),
    })
  })

  test('two tenants whose names look alike are kept apart', async () => {
    const { sessions } = open(100_000)
    await sessions.create({ ...aSession(), tenant_id: 'x:y', user_id: 'z' })
    expect(await sessions.listByUser('x', 'y:z', page)).toEqual([])
    expect(await sessions.listByUser('x:y', 'z', page)).toHaveLength(1)
  })
})

test.skipIf(!(await findService('redis')))(
  'after a kill -9 of a Redis that syncs each write, all that was acknowledged is there [D25.8]',
  async () => {
    await using own = await startRedis({ durable: true })
    await using stores = createRedisSessionStore({ url: own.url, prefix: 'p:' })
    const session = aSession()
    const { session_id } = session
    await stores.sessions.create(session)
    await stores.events.append(session_id, [entry, entry])
    await stores.messages.add([{ ...aMessage, session_id }])
    await own.kill()
    await own.start()
    const read = () => stores.sessions.get('t', session_id)
    expect(await waitFor(read, { timeoutMs: 20_000 })).toEqual(session)
    expect(await stores.events.append(session_id, [entry], { after: 2 })).toEqual({
      ...{ first: 3, last: 3 },
    })
    expect(await stores.messages.list(session_id, page)).toEqual([{ ...aMessage, session_id }])
    expect(await stores.sessions.listByUser('t', 'u', page)).toEqual([session])
  },
)

const aMessage = { message_id: 'm', role: 'user', content: '', created_at: 1, seq: 1 } as const

test.skipIf(!(await findService('redis')))(
  'while Redis is away every method says so in time',
  async () => {
    await using own = await startRedis()
    await using stores = createRedisSessionStore({ url: own.url, prefix: 'p:', timeoutMs: 500 })
    const session = aSession()
    await stores.sessions.create(session)
    await own.stop()
    const { session_id } = session
    const calls = [
      stores.sessions.get('t', session_id),
      stores.sessions.update('t', session_id, () => ({})),
      stores.sessions.listByUser('t', 'u', page),
      stores.events.append(session_id, [entry]),
      stores.events.tail(session_id, 1),
      stores.messages.add([{ ...aMessage, session_id }]),
    ]
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ reason: { code: 'store_unavailable' } })
    }
  },
)
