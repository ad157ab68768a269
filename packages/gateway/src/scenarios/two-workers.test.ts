import { randomUUID } from 'node:crypto'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { callModern, modern, openSession, openSse } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { getCode, redeem } from './test-sign-in.ts'
import { noteUri, startUpstream } from './test-upstream.ts'
import { ask, type Rpc, request, send } from './test-wire.ts'

const asksPeople = { elicitation: { form: {} }, sampling: {} }
const isAsked = (method: string) => (message: Rpc) => message.method === method
const filledIn = { action: 'accept', content: { name: 'Ada' } }
const thought = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hm.' } }

/** What the tool was answered, which it gives back as text. */
function toldTo({ result }: Rpc): unknown {
  return JSON.parse(result?.content[0].text)
}

describeKv('two workers of one installation', ({ kv, other }) => {
  async function setUp() {
    const gateway = await startTestGateway({ kvs: [kv, other] })
    const [{ url: here }, { url: there }] = gateway.workers
    return { ...gateway, here, there }
  }

  async function withUpstream() {
    const upstream = await startUpstream()
    const set = await setUp()
    await set.connect({ name: `upstream-${randomUUID().slice(0, 8)}`, url: upstream.url })
    return { ...set, upstream }
  }

  test('a stream here is posted to there [E1.1]', async () => {
    const { here, there, key } = await setUp()
    const client = await openSse(here, key)
    const params = { name: 'echo', arguments: { text: 'hi' } }
    const { result } = await client.ask(there, 1, 'tools/call', params)
    expect(result.content).toEqual([{ type: 'text', text: 'hi' }])
    const refused = await send(there + client.endpoint, {
      token: 'mk_other',
      body: request(2, 'ping'),
    })
    expect(refused.status).toBe(401)
    client.stream.leave()
    await waitFor(async () => (await client.post(there, request(3, 'ping'))).status === 404)
  })

  test('a session of one is known to the other, until one of them ends it [E1.2]', async () => {
    const { here, there, key: token } = await setUp()
    const { headers } = await openSession(here, token)
    const list = (url: string) =>
      ask(`${url}/mcp`, { token, headers, body: request(1, 'tools/list') })
    expect((await list(there)).result.tools.length).toBeGreaterThan(0)
    const stream = await send(`${here}/mcp`, { method: 'GET', token, headers })
    expect(stream.status).toBe(200)
    const ending = await send(`${there}/mcp`, { method: 'DELETE', token, headers })
    expect(ending.status).toBe(204)
    await stream.ended
    expect(await list(here)).toMatchObject({ status: 404, error: { code: -32001 } })
    expect((await list(there)).status).toBe(404)
  })

  describe.each([
    ['elicitation/create', 'greet', filledIn],
    ['sampling/createMessage', 'think', thought],
  ])('%s', (method, name, answer) => {
    test('is answered there for a call here, over Streamable HTTP, and says who asks [E1.2]', async () => {
      const { here, there, key: token } = await withUpstream()
      const { headers } = await openSession(here, token, { capabilities: asksPeople })
      const body = request(1, 'tools/call', { name })
      const call = await send(`${here}/mcp`, { token, headers, body })
      const question = await call.until(isAsked(method))
      expect(JSON.stringify(question.params)).toMatch(/"The server upstream-[0-9a-f]{8} asks/)
      const answered = { jsonrpc: '2.0', id: question.id, result: answer }
      const posted = await send(`${there}/mcp`, { token, headers, body: answered })
      expect(posted.status).toBe(202)
      expect(toldTo(await call.until(({ id }) => id === 1))).toEqual(answer)
    })

    test('is answered there for a call there, on the stream here [E1.1]', async () => {
      const { here, there, key } = await withUpstream()
      const client = await openSse(here, key, { capabilities: asksPeople })
      await client.post(there, request(1, 'tools/call', { name }))
      const question = await client.stream.until(isAsked(method))
      await client.post(there, { jsonrpc: '2.0', id: question.id, result: answer })
      expect(toldTo(await client.stream.until(({ id }) => id === 1))).toEqual(answer)
    })

    test('is answered there by sending the call again with its state [E1.2]', async () => {
      const { here, there, key } = await withUpstream()
      const first = await callModern(here, key, { name }, asksPeople)
      expect(first.result).toMatchObject({ resultType: 'input_required' })
      const { requestState, inputRequests } = first.result
      const [[asked, question]] = Object.entries<{ method: string }>(inputRequests) as [
        [string, { method: string }],
      ]
      expect(question.method).toBe(method)
      const params = { name, requestState, inputResponses: { [asked]: answer } }
      expect(toldTo(await callModern(there, key, params, asksPeople))).toEqual(answer)
      const again = await callModern(there, key, params, asksPeople)
      expect(again.error).toMatchObject({ code: -32602 })
    })
  })

  test('a cancel there ends a call here [E1.2]', async () => {
    const { here, there, key: token, upstream } = await withUpstream()
    const { waits } = upstream
    const { headers } = await openSession(here, token)
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    }
    const calling = send(`${here}/mcp`, {
      token,
      headers,
      body: request(1, 'tools/call', { name: 'wait' }),
    })
    await waitFor(() => waits.running === 1)
    expect((await send(`${there}/mcp`, { token, headers, body: cancelled })).status).toBe(202)
    await waitFor(() => waits.cancelled === 1)
    const client = await openSse(here, token)
    await client.post(there, request(1, 'tools/call', { name: 'wait' }))
    await waitFor(() => waits.running === 2)
    await client.post(there, cancelled)
    await waitFor(() => waits.cancelled === 2)
    await (await calling).ended
  })

  test('a client that leaves ends its call, wherever the server is connected [E1.2]', async () => {
    const { here, there, key: token, upstream } = await withUpstream()
    const { waits } = upstream
    for (const url of [here, there]) {
      const { running } = waits
      const leaving = new AbortController()
      const { body, headers } = modern('tools/call', { name: 'wait' })
      const call = fetch(`${url}/mcp`, {
        ...{ method: 'POST', body: JSON.stringify(body), signal: leaving.signal },
        headers: {
          ...{ ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          accept: 'application/json, text/event-stream',
        },
      }).catch(() => 'left')
      await waitFor(() => waits.running === running + 1)
      leaving.abort()
      expect(await call).toBe('left')
      await waitFor(() => waits.cancelled === running + 1)
    }
  })

  test('a code that was given here is redeemed there, and its token opens both [E2.2][E2.3]', async () => {
    const { here, there, key } = await setUp()
    const code = await getCode(here, { key })
    const answer = await redeem(there, code)
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const open = async (url: string) =>
      (await ask(`${url}/mcp`, { token, body: request(1, 'tools/list') })).status
    expect([await open(here), await open(there)]).toEqual([200, 200])
    expect((await redeem(there, code)).status).toBe(400)
    await waitFor(async () => (await open(here)) === 401 && (await open(there)) === 401)
  })

  test('a group that is changed here is told on the streams there, and on their lists [E1.2][E9.1]', async () => {
    const { here, there, key: token, workers } = await setUp()
    const { headers } = await openSession(here, token)
    const changed = isAsked('notifications/tools/list_changed')
    const stream = await send(`${there}/mcp`, { method: 'GET', token, headers })
    const sse = await openSse(there, token)
    const listening = await send(`${there}/mcp`, {
      token,
      ...modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    })
    await listening.until(isAsked('notifications/subscriptions/acknowledged'))
    const tools = [{ server_id: 'dataagent', tool: 'no_such' }]
    await workers[0].gateway.groups.update(admin, 'all', { tools })
    await Promise.all([stream, sse.stream, listening].map(({ until }) => until(changed)))
    const { result } = await ask(`${there}/mcp`, { token, headers, body: request(1, 'tools/list') })
    expect(result.tools).toEqual([])
  })

  test('a resource that was subscribed to here is told of there [E1.2]', async () => {
    const { here, there, key: token, upstream } = await withUpstream()
    const { headers } = await openSession(here, token)
    const updated = isAsked('notifications/resources/updated')
    const stream = await send(`${there}/mcp`, { method: 'GET', token, headers })
    const body = request(1, 'resources/subscribe', { uri: noteUri })
    expect((await ask(`${here}/mcp`, { token, headers, body })).result).toEqual({})
    const sse = await openSse(there, token)
    await sse.ask(here, 1, 'resources/subscribe', { uri: noteUri })
    const listening = await send(`${there}/mcp`, {
      token,
      ...modern('subscriptions/listen', { notifications: { resourceSubscriptions: [noteUri] } }),
    })
    await waitFor(() => upstream.subscribed.has(noteUri))
    const streams = [stream, sse.stream, listening]
    await waitFor(async () => {
      await upstream.change(noteUri)
      return streams.every(({ messages }) => messages.some(updated))
    })
    for (const one of streams) one.leave()
    await waitFor(() => !upstream.subscribed.has(noteUri))
  })
})
