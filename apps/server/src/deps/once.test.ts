import { AppError } from '@dataagent/schema'
import { createCanary } from '@dataagent/testkit'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createOnce } from './once.ts'
import { defineRoute, type Route } from './route.ts'
import { createTestOnce, createTestStores, serveRoutes } from './test-routes.ts'

function keyRoute(handle: (n: number) => unknown): Route & { done(): number } {
  let done = 0
  const route = defineRoute({
    ...{ method: 'POST', path: '/keys', tag: 'users', summary: 'Makes a key.', access: 'user' },
    ...{ creates: true, status: 201 },
    body: z.strictObject({ name: z.string() }),
    answer: z.object({ key: z.string() }),
    async handle() {
      done += 1
      return { key: String(await handle(done)) }
    },
  })
  return { ...route, done: () => done }
}

interface Sent {
  key?: string
  user?: string
  name?: string
  headers?: Record<string, string>
}

function send(app: FastifyInstance, sent: Sent = {}) {
  const { key = 'k-1', user = 'ada', name = 'n' } = sent
  const who = { 'x-user': user, ...sent.headers }
  const headers = { 'idempotency-key': key, ...who, 'content-type': 'application/json' }
  const body = JSON.stringify({ name })
  return app.inject({ method: 'POST', url: '/keys', headers, body })
}

test('sent again with the same key, a request is done once and answered alike', async () => {
  const route = keyRoute((n) => n)
  await using app = await serveRoutes([route], createTestOnce())
  const first = await send(app)
  const second = await send(app)
  expect([first.statusCode, first.body]).toEqual([201, '{"key":"1"}'])
  expect([second.statusCode, second.body]).toEqual([201, '{"key":"1"}'])
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(route.done()).toBe(1)
})

test('another body under the same key is a conflict', async () => {
  const route = keyRoute((n) => n)
  await using app = await serveRoutes([route], createTestOnce())
  await send(app)
  const other = await send(app, { name: 'other' })
  expect([other.statusCode, other.json().error_code]).toEqual([409, 'conflict'])
  expect(route.done()).toBe(1)
})

test('the key of another user, another key and none at all are requests of their own', async () => {
  const route = keyRoute((n) => n)
  await using app = await serveRoutes([route], createTestOnce())
  await send(app)
  await send(app, { user: 'bob' })
  await send(app, { key: 'k-2' })
  const headers = { 'content-type': 'application/json' }
  await app.inject({ method: 'POST', url: '/keys', headers, body: '{"name":"n"}' })
  expect(route.done()).toBe(4)
})

test('of many at once in two processes one does the work; the others come back later', async () => {
  const stores = createTestStores()
  const gate = Promise.withResolvers<void>()
  const route = keyRoute(() => gate.promise.then(() => 'made'))
  await using one = await serveRoutes([route], createTestOnce(stores))
  await using two = await serveRoutes([route], createTestOnce(stores))
  const answers = Array.from({ length: 20 }, (_, at) => send(at % 2 === 0 ? one : two))
  const early = await Promise.race(answers)
  expect([early.statusCode, early.headers['retry-after']]).toEqual([409, '1'])
  gate.resolve()
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1)
  expect(new Set(statuses)).toEqual(new Set([201, 409]))
  expect((await send(two)).json()).toEqual({ key: 'made' })
  expect(route.done()).toBe(1)
})

test.each(['unavailable', 'rate_limited', 'internal'] as const)(
  'a first try that ended as %s is not kept',
  async (code) => {
    const route = keyRoute((n) => {
      if (n === 1) throw new AppError(code, 'Not now.')
      return n
    })
    await using app = await serveRoutes([route], createTestOnce())
    expect((await send(app)).statusCode).toBeGreaterThanOrEqual(429)
    expect((await send(app)).json()).toEqual({ key: '2' })
  },
)

test('a refusal is not kept: what was refused may be tried again', async () => {
  const route = keyRoute((n) => {
    if (n === 1) throw new AppError('conflict', 'It exists.')
    return n
  })
  await using app = await serveRoutes([route], createTestOnce())
  expect((await send(app)).statusCode).toBe(409)
  expect((await send(app)).json()).toEqual({ key: '2' })
})

test.each([{ 'x-key': 'other' }, { 'x-role': 'admin' }, { 'x-acting': 'boss' }])(
  'an answer is not replayed to %j of the same user',
  async (other) => {
    const route = keyRoute((n) => n)
    await using app = await serveRoutes([route], createTestOnce())
    expect((await send(app)).json()).toEqual({ key: '1' })
    expect((await send(app, { headers: other })).json()).toEqual({ key: '2' })
    expect((await send(app)).json()).toEqual({ key: '1' })
  },
)

test('an answer with a secret is given once; again it is told only that it was done', async () => {
  const route = { ...keyRoute((n) => n), secretAnswer: true }
  await using app = await serveRoutes([route], createTestOnce())
  expect((await send(app)).json()).toEqual({ key: '1' })
  const again = await send(app)
  expect([again.statusCode, again.json().message]).toEqual([
    409,
    'This request was done; its answer was not kept.',
  ])
  expect(route.done()).toBe(1)
})

test('a long answer is not kept: sent again, it is told by which ids to read what was made', async () => {
  const stores = createTestStores()
  const { kv, held } = noteHeld(stores.kv)
  const once = createOnce({ stores: () => ({ ...stores, kv }) })
  let done = 0
  const route = defineRoute({
    ...{ method: 'POST', path: '/keys', tag: 'users', summary: 'Makes it.', access: 'user' },
    ...{ creates: true, status: 201 },
    body: z.strictObject({ name: z.string() }),
    answer: z.object({ thing_id: z.string(), text: z.string() }),
    handle() {
      done += 1
      return { thing_id: `t-${done}`, text: 'x'.repeat(20_000) }
    },
  })
  await using app = await serveRoutes([route], once)
  expect((await send(app)).json()).toHaveProperty('thing_id', 't-1')
  const again = await send(app)
  expect([again.statusCode, again.json()]).toMatchObject([
    409,
    { error_code: 'conflict', details: { thing_id: 't-1' } },
  ])
  expect(done).toBe(1)
  expect(Math.max(...held.map(({ length }) => length))).toBeLessThan(1_000)
})

test('a handler that finds what it made is asked again where its answer was not kept', async () => {
  const long = 'x'.repeat(20_000)
  const route = { ...keyRoute((n) => (n === 1 ? 'made' : 'found') + long), findsAgain: true }
  await using app = await serveRoutes([route], createTestOnce())
  expect((await send(app)).json()).toEqual({ key: `made${long}` })
  const again = await send(app)
  expect([again.statusCode, again.json()]).toEqual([201, { key: `found${long}` }])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect((await send(app, { name: 'other' })).statusCode).toBe(409)
})

test.each([
  ['user', 4 * 1_048_576, { user: 'bob' }],
  ['tenant', 64 * 1_048_576, undefined],
] as const)('of one %s no more is kept than there is room for', async (_, room, other) => {
  const stores = createTestStores()
  const { kv, held } = noteHeld(stores.kv)
  // What is kept counts for as much as it is; here for half of what there is.
  const count: typeof kv.count = (key, limit) =>
    kv.count(key, limit.max === room && limit.cost !== 0 ? { ...limit, cost: room / 2 } : limit)
  const once = createOnce({ stores: () => ({ ...stores, kv: { ...kv, count } }) })
  const route = keyRoute((n) => `${n}`.padEnd(1_000))
  await using app = await serveRoutes([route], once)
  for (const key of ['k-1', 'k-2', 'k-3']) await send(app, { key })
  expect((await send(app, { key: 'k-2' })).statusCode).toBe(201)
  expect((await send(app, { key: 'k-3' })).statusCode).toBe(409)
  expect(route.done()).toBe(3)
  expect(held.filter(({ length }) => length > 1_000)).toHaveLength(2)
  if (other) await send(app, { key: 'k-4', ...other })
  if (other) expect((await send(app, { key: 'k-4', ...other })).statusCode).toBe(201)
})

test('of one user no more answers are kept than there is room for', async () => {
  const stores = createTestStores()
  const route = keyRoute((n) => n)
  await using app = await serveRoutes([route], createTestOnce(stores))
  await send(app)
  const count: typeof stores.kv.count = (key, limit) =>
    stores.kv.count(key, limit.max === 1_000 ? { ...limit, cost: 999 } : limit)
  const once = createOnce({ stores: () => ({ ...stores, kv: { ...stores.kv, count } }) })
  await using full = await serveRoutes([route], once)
  await send(full, { key: 'k-2' })
  const refused = await send(app, { key: 'k-3' })
  expect([refused.statusCode, refused.json().error_code]).toEqual([429, 'rate_limited'])
  expect((await send(app)).json()).toEqual({ key: '1' })
  expect((await send(app, { key: 'k-3', user: 'bob' })).statusCode).toBe(201)
})

test.each(['', 'x'.repeat(129), 'ü'])('the key %j is refused', async (key) => {
  await using app = await serveRoutes([keyRoute((n) => n)], createTestOnce())
  expect((await send(app, { key })).statusCode).toBe(400)
})

test('what is kept is sealed: the store holds neither answer nor key', async () => {
  const canary = createCanary('answer')
  const stores = createTestStores()
  const { kv, held } = noteHeld(stores.kv)
  const once = createOnce({ stores: () => ({ ...stores, kv }) })
  await using app = await serveRoutes([keyRoute(() => canary.apiKey)], once)
  await send(app, { key: 'key-of-the-caller' })
  expect((await send(app, { key: 'key-of-the-caller' })).json()).toEqual({ key: canary.apiKey })
  expect(held.length).toBe(2)
  expect(held.join()).not.toContain(canary.apiKey)
  expect(held.join()).not.toContain('key-of-the-caller')
})

test('while the store is away a request with a key is not done', async () => {
  const stores = createTestStores()
  await stores.kv[Symbol.asyncDispose]()
  const route = keyRoute((n) => n)
  await using app = await serveRoutes([route], createTestOnce(stores))
  expect((await send(app)).statusCode).toBe(503)
  expect(route.done()).toBe(0)
})

/** The KV, and all that is set in it. */
function noteHeld(kv: ReturnType<typeof createTestStores>['kv']) {
  const held: string[] = []
  const set: typeof kv.set = (key, value, options) => {
    held.push(key, value)
    return kv.set(key, value, options)
  }
  return { kv: { ...kv, set }, held }
}
