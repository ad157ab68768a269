import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '@dataagent/guard'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import {
  createModernRuns,
  createSseConnections,
  type SseConnectionsOptions,
} from '../entries/index.ts'
import type { Caller } from '../protocol/index.ts'
import { modern, openSession, openSse } from './test-clients.ts'
import { admin, startTestGateway, type TestWorker } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { signIn } from './test-sign-in.ts'
import { ask, request, send } from './test-wire.ts'

/** Counts the heartbeats that are to come: one for each open stream. */
function createBeatClock(): Clock & { beats: Set<unknown> } {
  const beats = new Set<unknown>()
  return {
    ...systemClock,
    beats,
    after(ms, run) {
      const cancel = systemClock.after(ms, run)
      if (ms !== 15_000) return cancel
      beats.add(cancel)
      return () => {
        beats.delete(cancel)
        cancel()
      }
    },
  }
}

/** Asks for a stream, and is gone when the gateway looks at it. */
async function openAndLeave({ gateway }: TestWorker, path: string, headers: object) {
  const served = Promise.withResolvers<void>()
  const server = createServer((asked, response) => {
    response.on('close', () => {
      gateway.handle(asked, response)
      served.resolve()
    })
    asking.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const asking = httpRequest({ port, path, headers: { ...headers } })
  asking.on('error', () => {}).end()
  await served.promise
}

test('a client that left before its stream was open leaves none behind [E5.2]', async () => {
  const clock = createBeatClock()
  const { workers, key } = await startTestGateway({ clock })
  const [worker] = workers
  const { url } = worker
  const { headers } = await openSession(url, key)
  const host = new URL(url).host
  for (const [path, own] of Object.entries({ '/mcp/v1/sse': {}, '/mcp': headers })) {
    const all = { ...own, accept: 'text/event-stream', authorization: `Bearer ${key}`, host }
    await openAndLeave(worker, path, all)
  }
  await ask(`${url}/mcp`, { token: key, body: request(1, 'ping') })
  expect(clock.beats.size).toBe(0)
})

test('one key has at most 200 streams open, of all kinds; others are not in its way', async () => {
  const { workers, key: token } = await startTestGateway()
  const [{ url, gateway }] = workers
  const { headers } = await openSession(url, token)
  const sse = () => send(`${url}/mcp/v1/sse`, { method: 'GET', token })
  const first = await sse()
  const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  await send(`${url}/mcp`, { token, ...listen })
  await send(`${url}/mcp`, { method: 'GET', token, headers })
  await Promise.all(Array.from({ length: 197 }, sse))
  const refused = [
    await sse(),
    await send(`${url}/mcp`, { token, ...listen }),
    await send(`${url}/mcp`, { method: 'GET', token, headers }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429])
  expect(refused.map((wire) => wire.headers.get('retry-after'))).toEqual(['10', '10', '10'])
  const tools = [{ server_id: '*', tool: '*' }]
  const other = await gateway.groups.create(admin, { group_id: 'other', name: 'Other', tools })
  expect((await send(`${url}/mcp/v1/sse`, { method: 'GET', token: other.key })).status).toBe(200)
  first.leave()
  await waitFor(async () => (await sse()).status === 200)
})

test('one caller’s calls that wait leave room for those of others [E5.2]', async () => {
  const runs = createModernRuns({ clock: systemClock })
  onTestFinished(runs.close)
  const begin = (quota_key: string) => {
    const way = { signal: new AbortController().signal, send() {} }
    const call = { bound: () => quota_key, quota_key, inputResponses: undefined }
    return runs.begin(call, way, async ({ ask: question, signal }) => {
      const answered = question('elicitation/create', {}, { signal })
      const result = await answered.then(() => ({ ok: true })).catch(() => ({ ok: false }))
      return { kind: 'result', result }
    })
  }
  for (let i = 0; i < 50; i += 1) expect((await begin('a')).kind).toBe('asks')
  expect((await begin('a')).kind).toBe('reply')
  expect((await begin('b')).kind).toBe('asks')
})

test('a post without a credential that holds is refused before it is read [E2.3][E5.2]', async () => {
  const { workers, key } = await startTestGateway()
  const [{ url }] = workers
  const sse = await openSse(url, key)
  const { status, headers } = await send(url + sse.endpoint, { body: request(1, 'ping') })
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching('Bearer')])
  for (const token of ['mk_wrong', 'st_wrong']) {
    const asked = httpRequest(url + sse.endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' },
    }).on('error', () => {})
    onTestFinished(() => void asked.destroy())
    asked.write('{')
    const [answer] = await once(asked, 'response')
    expect(answer.statusCode).toBe(401)
  }
})

test('news come on a stream whose token was renewed since [E3.1]', async () => {
  const clock = createMovingClock()
  const settings = { session_ttl_seconds: 600 }
  const { workers, key } = await startTestGateway({ clock, settings })
  const [{ url, gateway }, { url: there }] = workers
  const old = await signIn(url, { key })
  const sse = await openSse(url, old.access_token)
  clock.advance(400_000)
  const { client_id, refresh_token } = old
  const renewing = await fetch(`${url}/mcp/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token }),
  })
  const { access_token } = (await renewing.json()) as { access_token: string }
  await sse.post(there, request(5, 'ping'), access_token)
  await sse.stream.until(({ id }) => id === 5)
  clock.advance(400_000)
  await gateway.groups.update(admin, 'all', { tools: [{ server_id: 'x', tool: 'y' }] })
  await sse.stream.until(({ method }) => method === 'notifications/tools/list_changed')
})

test('a network has room for strangers again once it is known who they are [E2.1]', async () => {
  const { workers, key } = await startTestGateway({ settings: { open_discovery: true } })
  const [{ url }] = workers
  for (let i = 0; i < 9; i += 1) {
    const stream = await send(`${url}/api/v1/mcp/jsonrpc`, { method: 'GET' })
    expect(stream.status).toBe(200)
    const { data } = await waitFor(() => stream.events[0])
    await send(url + data, { token: key, body: request(1, 'ping') })
    await stream.until(({ id }) => id === 1)
  }
})

test('nobody listens for a client that left while it was being introduced [E5.2]', async () => {
  const leaving = new AbortController()
  const said: string[] = []
  let listening = 0
  const connect = createSseConnections({
    news: { listen: () => ({ change() {}, end: () => void listening++ }), close() {} },
    initialize: async () => {
      leaving.abort()
      return { kind: 'result', result: { protocolVersion: '2025-06-18' } }
    },
  } as unknown as SseConnectionsOptions)
  const caller = { owner_key: 'k', group_id: 'g' } as Caller
  const { take, end } = connect(
    { caller, shown: undefined },
    {
      stream: { send: (text) => said.push(text), end() {} },
      ...{ signal: leaving.signal, holds: async () => true },
      ...{ isTakenBack: async () => false, cutOff() {}, meet() {} },
    },
  )
  const text = JSON.stringify(request(1, 'initialize', {}))
  const content = { kind: 'message', text } as const
  take({ content, caller, credential: undefined, sealed: undefined })
  await waitFor(() => said.length === 1)
  end()
  expect(listening).toBe(0)
})
