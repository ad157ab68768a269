import { setTimeout } from 'node:timers/promises'
import { systemClock } from '@dataagent/guard'
import { createMemoryKv } from '@dataagent/store/kv'
import { expect, onTestFinished, test } from 'vitest'
import { createTransportSessions } from '../entries/index.ts'
import type { Caller } from '../protocol/index.ts'
import { modern, openSession, openSse } from './test-clients.ts'
import { startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { signIn } from './test-sign-in.ts'
import { ask, request, send } from './test-wire.ts'

const uris = ['a', 'b', 'c', 'd'].map((name) => `file:///${name}`)

test('subscriptions that come at once, to both workers, are all kept [E3.1]', async () => {
  const kv = createMemoryKv()
  onTestFinished(() => kv[Symbol.asyncDispose]())
  const get = async (key: string) => {
    const text = await kv.get(key)
    await setTimeout(100)
    return text
  }
  const far = { ...kv, get }
  const { workers, key: token } = await startTestGateway({ kvs: [far, far] })
  const { session_id, headers } = await openSession(workers[0].url, token)
  await Promise.all(
    uris.map((uri, i) =>
      ask(`${workers[(i % 2) as 0 | 1].url}/mcp`, {
        ...{ token, headers, body: request(i, 'resources/subscribe', { uri }) },
      }),
    ),
  )
  const { subscriptions } = JSON.parse((await kv.get(`mcp:transport:${session_id}`)) ?? '')
  expect(subscriptions.toSorted()).toEqual(uris)
})

test('to keep a session from expiring undoes no change of another process', async () => {
  const kv = createMemoryKv()
  onTestFinished(() => kv[Symbol.asyncDispose]())
  const peers = { tell: async () => {}, on: () => {} }
  const here = createTransportSessions({ kv, peers, clock: systemClock })
  let meanwhile = () => {}
  const slow = {
    ...kv,
    async get(key: string) {
      const text = await kv.get(key)
      meanwhile()
      await setTimeout(30)
      return text
    },
  }
  const there = createTransportSessions({ kv: slow, peers, clock: systemClock })
  const principal = { tenant_id: 't', user_id: null, role: 'user' }
  const caller = { principal, quota_key: 'k', owner_key: 'k', group_id: 'g' } as Caller
  const { session_id } = await here.open(caller, { version: '2025-11-25', capabilities: {} })
  let changing: Promise<void> | undefined
  meanwhile = () => {
    changing ??= here.change(session_id, () => ({ subscriptions: uris }))
  }
  await there.find(session_id, caller)
  await changing
  expect(JSON.parse((await kv.get(`mcp:transport:${session_id}`)) ?? '').subscriptions).toEqual(
    uris,
  )
})

test('of what a client says of itself little is kept [E5.2]', async () => {
  const { workers, key, kv } = await startTestGateway()
  const fat = { x: 'x'.repeat(100_000) }
  const { session_id } = await openSession(workers[0].url, key, {
    capabilities: {
      experimental: fat,
      elicitation: { url: fat, ...fat },
      roots: { listChanged: true },
    },
  })
  expect(JSON.parse((await kv.get(`mcp:transport:${session_id}`)) ?? '').capabilities).toEqual({
    elicitation: { url: {} },
    roots: { listChanged: true },
  })
})

const rate_limits = { call_limit: 5 }

test('subscribing, listening and introductions count [E5.1]', async () => {
  const { workers, key: token } = await startTestGateway({ settings: { rate_limits } })
  const [{ url }] = workers
  const { headers } = await openSession(url, token)
  const subscribe = (id: number, method: string) => request(id, method, { uri: 'file:///a' })
  for (let id = 1; id <= 5; id += 1) {
    const body = subscribe(id, id % 2 ? 'resources/subscribe' : 'resources/unsubscribe')
    expect((await ask(`${url}/mcp`, { token, headers, body })).result).toEqual({})
  }
  const body = subscribe(6, 'resources/unsubscribe')
  const { status, error } = await ask(`${url}/mcp`, { token, headers, body })
  expect([status, error?.code]).toEqual([429, -32000])
  const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  const wire = await send(`${url}/mcp`, { token, ...listen })
  expect([wire.status, wire.headers.has('retry-after')]).toEqual([429, true])
  for (const expected of [200, 200, 200, 200, 200, 429]) {
    const stream = await send(`${url}/mcp`, { method: 'GET', token, headers })
    expect([stream.status, stream.headers.has('retry-after')]).toEqual([expected, expected === 429])
    stream.leave()
  }
  const sse = await openSse(url, token)
  expect((await sse.ask(url, 9, 'resources/subscribe', { uri: 'file:///a' })).error?.code).toBe(
    -32000,
  )
  const seed = `${url}/api/v1/mcp/jsonrpc`
  const codes = []
  for (let id = 1; id <= 6; id += 1) {
    codes.push(await ask(seed, { token, body: request(id, 'initialize', {}) }))
  }
  expect(codes.at(-1)).toMatchObject({ status: 200, error: { code: -32000 } })
})

test('a URI has at most 2,048 characters, a stream at most 1,000 of them [E5.2]', async () => {
  const settings = { rate_limits: { call_limit: 5_000 } }
  const { workers, key } = await startTestGateway({ settings })
  const [{ url }] = workers
  const sse = await openSse(url, key)
  const long = { uri: `f:${'x'.repeat(2_047)}` }
  expect((await sse.ask(url, 1, 'resources/subscribe', long)).error?.code).toBe(-32602)
  for (let n = 0; n < 10; n += 1) {
    const batch = Array.from({ length: 100 }, (_, i) =>
      request(100 * n + i + 10, 'resources/subscribe', { uri: `f:${n}/${i}` }),
    )
    await sse.post(url, batch)
  }
  await sse.stream.until(({ id }) => id === 1_009)
  expect((await sse.ask(url, 2, 'resources/subscribe', { uri: 'f:more' })).error?.code).toBe(-32602)
  expect((await sse.ask(url, 3, 'resources/subscribe', { uri: 'f:0/0' })).result).toEqual({})
})

test('a token that may only read is told what it lacks, in both eras [E2.3] [T33]', async () => {
  const { workers, key } = await startTestGateway()
  const [{ url }] = workers
  const { access_token: token } = await signIn(url, { key, scope: 'mcp:read' })
  const params = { name: 'echo', arguments: { text: 'x' } }
  for (const sent of [{ body: request(1, 'tools/call', params) }, modern('tools/call', params)]) {
    const wire = await send(`${url}/mcp`, { token, ...sent })
    expect(wire.status).toBe(403)
    expect(wire.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  }
})

test('a session that others hold up asks to come again, and answers what does not need it [E5.2]', async () => {
  const clock = createMovingClock()
  const kv = createMemoryKv({ clock })
  onTestFinished(() => kv[Symbol.asyncDispose]())
  let isHeldUp = false
  const setIfAbsent: typeof kv.setIfAbsent = (key, value, options) => {
    if (!isHeldUp || !key.includes('turn')) return kv.setIfAbsent(key, value, options)
    setImmediate(() => clock.advance(20))
    return Promise.resolve(false)
  }
  const far = { ...kv, setIfAbsent }
  const { workers, key: token } = await startTestGateway({ kvs: [far, far], clock })
  const [{ url }] = workers
  const { headers } = await openSession(url, token, { version: '2025-03-26' })
  isHeldUp = true
  const change = request(1, 'resources/subscribe', { uri: 'file:///a' })
  const alone = await send(`${url}/mcp`, { token, headers, body: change })
  expect([alone.status, alone.headers.get('retry-after')]).toEqual([503, '1'])
  const both = await send(`${url}/mcp`, { token, headers, body: [change, request(2, 'ping')] })
  await both.ended
  const error = { data: { error_code: 'unavailable' } }
  expect(JSON.parse(both.text())).toMatchObject([
    { id: 1, error },
    { id: 2, result: {} },
  ])
})
