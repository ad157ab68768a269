import { createMemoryKv } from '@dataagent/store/kv'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openSession, openSse } from './test-clients.ts'
import { startTestGateway } from './test-gateway.ts'
import { startUpstream } from './test-upstream.ts'
import { ask, request, send } from './test-wire.ts'

const version = '2025-03-26'
const call_limit = 20
const settings = { rate_limits: { call_limit } }
const toCancel = (requestId: string | number) => ({
  ...{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } },
})
const hundred = <T>(make: (i: number) => T) => Array.from({ length: 100 }, (_, i) => make(i))
const cancels = hundred((i) => toCancel(`r${i}`))
const answers = hundred((i) => ({ jsonrpc: '2.0', id: `0123456789abcdef.${i}`, result: {} }))

/** Two workers, and what clients made them tell or ask each other. */
async function setUp() {
  const kv = createMemoryKv()
  onTestFinished(() => kv[Symbol.asyncDispose]())
  const sent: string[] = []
  const publish: typeof kv.publish = async (channel, text) => {
    if (/"kind":"(cancel|answer)","scope"/.test(text)) sent.push(text)
    return kv.publish(channel, text)
  }
  const seen = { ...kv, publish }
  const gateway = await startTestGateway({ kvs: [seen, seen], settings })
  return { ...gateway, url: gateway.workers[0].url, sent }
}

test('cancels and answers that other processes hear of count, and those above are refused [E5.1]', async () => {
  const { url, key: token, sent } = await setUp()
  const { session_id } = await openSession(url, token, { version })
  const headers = { 'mcp-session-id': session_id }
  for (const body of [cancels, answers, cancels, toCancel('r1'), answers[0]!]) {
    const refused = await send(`${url}/mcp`, { token, headers, body })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const { error } = await refused.until(({ id }) => id === null)
    expect(error?.data).toMatchObject({ error_code: 'rate_limited' })
  }
  expect(sent.filter((text) => text.includes('"kind":"cancel"'))).toHaveLength(call_limit)
  expect(sent.filter((text) => text.includes('"kind":"answer","scope"'))).toHaveLength(call_limit)
})

test('a batch that also asks is answered, however much else is in it [E5.1]', async () => {
  const { url, key: token } = await setUp()
  const { session_id } = await openSession(url, token, { version })
  const headers = { 'mcp-session-id': session_id }
  const body = [...cancels.slice(1), request(1, 'ping')]
  const { status, text, ended } = await send(`${url}/mcp`, { token, headers, body })
  await ended
  expect([status, text()]).toEqual([200, '[{"jsonrpc":"2.0","id":1,"result":{}}]'])
})

test('no other client of a key uses up what one may answer and cancel, nor do other requests [E5.1]', async () => {
  const { url, key: token, sent } = await setUp()
  const open = async () => ({
    'mcp-session-id': (await openSession(url, token, { version })).session_id,
  })
  const [loud, quiet] = [await open(), await open()]
  for (const body of [cancels, answers]) {
    expect((await send(`${url}/mcp`, { token, headers: loud, body })).status).toBe(429)
  }
  const pings = hundred((i) => request(i, 'ping')).slice(0, call_limit + 1)
  const pinged = await Promise.all(pings.map((body) => ask(`${url}/mcp`, { token, body })))
  expect(pinged.filter(({ status }) => status === 429)).toHaveLength(1)
  const before = sent.length
  for (const body of [toCancel('mine'), answers[0]!]) {
    expect((await send(`${url}/mcp`, { token, headers: quiet, body })).status).toBe(202)
  }
  expect(sent).toHaveLength(before + 2)
})

test('what nobody else can hold is told to nobody [E5.2]', async () => {
  const { url, key: token, sent } = await setUp()
  const sse = await openSse(url, token)
  for (const body of [cancels, answers]) {
    expect((await send(`${url}/mcp`, { token, body })).status).toBe(202)
    expect((await sse.post(url, body)).status).toBe(202)
  }
  const { session_id } = await openSession(url, token, { version })
  const strange = hundred((i) => ({ jsonrpc: '2.0', id: `0123456789abcdef.x${i}`, result: {} }))
  const headers = { 'mcp-session-id': session_id }
  expect((await send(`${url}/mcp`, { token, headers, body: strange })).status).toBe(202)
  expect((await ask(`${url}/mcp`, { token, body: request(1, 'ping') })).result).toEqual({})
  expect(sent).toEqual([])
})

test('a call is cancelled also where nothing more may be told [E1.2][E5.1]', async () => {
  const upstream = await startUpstream()
  const { url, key: token, connect } = await setUp()
  await connect({ name: 'upstream', url: upstream.url })
  const { session_id } = await openSession(url, token, { version })
  const headers = { 'mcp-session-id': session_id }
  const call = request(7, 'tools/call', { name: 'wait' })
  send(`${url}/mcp`, { token, headers, body: call }).catch(() => {})
  const sse = await openSse(url, token)
  await sse.post(url, call)
  await waitFor(() => upstream.waits.running === 2)
  expect((await send(`${url}/mcp`, { token, headers, body: cancels })).status).toBe(429)
  expect((await send(`${url}/mcp`, { token, headers, body: toCancel(7) })).status).toBe(202)
  await sse.post(url, toCancel(7))
  await waitFor(() => upstream.waits.cancelled === 2)
})
