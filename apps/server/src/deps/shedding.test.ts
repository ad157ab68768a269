import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '@dataagent/guard'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createTestLog } from '../testing/test-app.ts'
import { sendError } from './error-response.ts'
import { addGate } from './gate.ts'
import { watchLoopDelay } from './loop-delay.ts'
import { createShedding } from './shedding.ts'

const long = 'x'.repeat(1_000_000)
const limits = {
  ...{ maxLoopDelayMs: 60_000, maxRequests: 1_000, maxRequestsPerUser: 200 },
  ...{ hasTenants: false, clock: systemClock },
}

async function serve(change: Partial<typeof limits>) {
  const { log, records } = createTestLog()
  const shedding = createShedding({ ...limits, ...change, log })
  const app = fastify()
  app.setErrorHandler(sendError)
  shedding.addTo(app)
  addGate(app, async ({ headers }) => ({
    principal: {
      tenant_id: String(headers['x-tenant'] ?? 'acme'),
      user_id: String(headers['x-user'] ?? 'ada'),
      role: 'user',
    },
    via: 'api_key',
  }))
  const gate = Promise.withResolvers<void>()
  const user = { config: { access: 'user' } } as const
  const stream = { config: { access: 'user', isLong: true } } as const
  const health = { config: { access: 'public', lane: 'reserved' } } as const
  app.get('/slow', user, async () => gate.promise.then(() => 'done'))
  app.get('/fast', user, async () => 'done')
  app.post('/open', { config: { access: 'public' } }, async () => 'done')
  app.get('/long', user, async () => Readable.from(Array.from({ length: 100 }, () => long)))
  let streaming = 0
  app.get('/stream', stream, async () => {
    streaming += 1
    return gate.promise.then(() => 'done')
  })
  app.post('/body', user, async () => 'done')
  app.get('/health', health, async () => 'alive')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets: Socket[] = []
  const accepted: Socket[] = []
  app.server.on('connection', (socket: Socket) => accepted.push(socket))
  return {
    ...{ shedding, records, finish: gate.resolve, accepted, streaming: () => streaming },
    get: (path: string, who = 'ada', tenant = 'acme') =>
      fetch(`${url}${path}`, { headers: { 'x-user': who, 'x-tenant': tenant } }),
    /** Sends the text and then nothing; reads nothing. */
    open(text: string): Socket {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
      sockets.push(socket)
      socket.on('error', () => {}).write(text)
      return socket
    },
    async [Symbol.asyncDispose]() {
      gate.resolve()
      for (const socket of sockets) socket.destroy()
      shedding.stop()
      await app.close()
    },
  }
}

test('over the limit of requests others get 503 with Retry-After [D23.6] [F29]', async () => {
  await using server = await serve({ maxRequests: 2 })
  const slow = [server.get('/slow'), server.get('/slow')]
  await waitFor(() => server.shedding.underWay === 2)
  const refused = await server.get('/fast')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ error_code: 'unavailable' })
  expect(server.shedding.isOverloaded()).toBe(true)
  expect((await server.get('/health')).status).toBe(200)
  server.finish()
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200])
  await waitFor(() => server.shedding.underWay === 0)
  expect((await server.get('/fast')).status).toBe(200)
  expect(server.shedding.shed).toBe(1)
})

const host = 'Host: localhost\r\n'
const body = `POST /body HTTP/1.1\r\n${host}Content-Type: text/plain\r\nContent-Length: 9\r\n\r\nhalf`

test('bodies that do not come and answers that are not read keep nobody out [T65]', async () => {
  await using server = await serve({ maxRequests: 2 })
  for (let at = 0; at < 5; at++) server.open(body)
  const readers = Array.from({ length: 5 }, () => server.open(`GET /long HTTP/1.1\r\n${host}\r\n`))
  for (const reader of readers) await once(reader, 'readable')
  expect(server.shedding.underWay).toBe(0)
  // Those that go on not reading are cut off.
  expect(server.accepted.filter(({ timeout }) => timeout === 60_000)).toHaveLength(5)
  expect((await server.get('/fast')).status).toBe(200)
})

test('who is not known yet holds no more than a share of what one address has', async () => {
  await using server = await serve({})
  for (let at = 0; at < 200; at++) server.open(body.replace('/body', '/open'))
  await waitFor(async () => (await server.get('/fast')).status === 429)
  expect((await server.get('/health')).status).toBe(200)
})

test('one user has a share of requests and of streams; others have theirs', async () => {
  await using server = await serve({})
  const streams = Array.from({ length: 100 }, () => server.get('/stream'))
  await waitFor(() => server.streaming() === 100)
  expect((await server.get('/stream')).status).toBe(429)
  expect((await server.get('/fast')).status).toBe(200)
  const slow = Array.from({ length: 100 }, () => server.get('/slow'))
  await waitFor(() => server.shedding.underWay === 100)
  const refused = await server.get('/fast')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await refused.json()).toMatchObject({ error_code: 'rate_limited' })
  expect((await server.get('/fast', 'bob')).status).toBe(200)
  expect((await server.get('/health')).status).toBe(200)
  server.finish()
  const statuses = (await Promise.all([...streams, ...slow])).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  await waitFor(async () => (await server.get('/fast')).status === 200)
})

test('how many requests one user has can be set', async () => {
  await using server = await serve({ maxRequestsPerUser: 3 })
  const streams = Array.from({ length: 2 }, () => server.get('/stream'))
  await waitFor(() => server.streaming() === 2)
  expect((await server.get('/stream')).status).toBe(429)
  expect((await server.get('/fast')).status).toBe(200)
  server.finish()
  await Promise.all(streams)
})

const users = Array.from({ length: 25 }, (_, at) => `user-${at}`)

test('of several tenants one holds half of the places for long, and others find theirs', async () => {
  await using server = await serve({ maxRequests: 20, hasTenants: true })
  const held = users.slice(0, 10).map((user) => server.get('/stream', user))
  await waitFor(() => server.streaming() === 10)
  const refused = await server.get('/stream', 'late')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await refused.text()).toContain('of your tenant')
  expect((await server.get('/fast', 'late')).status).toBe(200)
  const other = server.get('/stream', 'zoe', 'globex')
  await waitFor(() => server.streaming() === 11)
  server.finish()
  const statuses = (await Promise.all([...held, other])).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  await waitFor(async () => (await server.get('/stream', 'late')).status === 200)
})

test('of several tenants one has nine of ten places at most, and others are still answered [T47]', async () => {
  await using server = await serve({ maxRequests: 20, hasTenants: true })
  const slow = users.slice(0, 18).map((user) => server.get('/slow', user))
  await waitFor(() => server.shedding.underWay === 18)
  const refused = await server.get('/fast', 'late')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(server.shedding.isOverloaded()).toBe(false)
  expect((await server.get('/fast', 'zoe', 'globex')).status).toBe(200)
  server.finish()
  await Promise.all(slow)
  await waitFor(async () => (await server.get('/fast', 'late')).status === 200)
})

test('where there is one tenant it has all places, and none is taken by what is held', async () => {
  await using server = await serve({ maxRequests: 20 })
  const held = users.map((user) => server.get('/stream', user))
  await waitFor(() => server.streaming() === 25)
  const slow = users.slice(0, 19).map((user) => server.get('/slow', user))
  await waitFor(() => server.shedding.underWay === 19)
  expect((await server.get('/fast', 'late')).status).toBe(200)
  server.finish()
  await Promise.all([...held, ...slow])
})

test('a hundred that are turned away are told of in one record', async () => {
  await using server = await serve({ maxRequests: 1 })
  const slow = server.get('/slow')
  await waitFor(() => server.shedding.underWay === 1)
  await Promise.all(Array.from({ length: 100 }, () => server.get('/fast')))
  expect(server.records.filter(({ level }) => level === 'warning')).toHaveLength(1)
  expect(server.shedding.shed).toBe(100)
  server.finish()
  await slow
})

test('an event loop that is late sheds too, and recovers by itself [D23.6] [F30]', async () => {
  await using server = await serve({ maxLoopDelayMs: 100 })
  // A busy machine makes it late as well.
  const isServed = async () => (await server.get('/fast')).status === 200
  await waitFor(isServed)
  await blockTwice(400)
  expect(server.shedding.isOverloaded()).toBe(true)
  const refused = await server.get('/fast')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(server.records).toMatchObject([{ level: 'warning', loop_delay_ms: expect.any(Number) }])
  expect((await server.get('/health')).status).toBe(200)
  await waitFor(isServed)
})

test('being late once is a pause; twice is seen, and forgotten after some seconds', async () => {
  const clock = createFakeClock()
  let looks = 0
  const monotonic = () => {
    looks += 1
    return clock.monotonic()
  }
  const loop = watchLoopDelay({ ...clock, monotonic })
  /** As if so much had passed between two looks. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    const before = looks
    await waitFor(() => looks > before)
  }
  await pass(300)
  expect(loop.delayMs()).toBeLessThan(200)
  await pass(300)
  expect(loop.delayMs()).toBeGreaterThan(200)
  await pass(2_500)
  expect(loop.delayMs()).toBeLessThan(200)
  loop.stop()
})

/** With a look of the watch in between. */
async function blockTwice(ms: number): Promise<void> {
  for (const pause of [ms, ms]) {
    block(pause)
    await setTimeout(1)
  }
}

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
