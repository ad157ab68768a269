import { createEgress } from '@dataagent/guard'
import { createFakeClock, startFaultProxy, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { sendJson, sendStream, toEvent, toResult } from '../http/test-http-server.ts'
import { failureOf, startTransport, toRequest } from '../http/test-http-transport.ts'
import { createSseTransport } from './sse-transport.ts'
import { accept, openSse, startSseServer } from './test-sse-server.ts'

const note = { jsonrpc: '2.0', method: 'notifications/x' } as const

describe('the start', () => {
  test('waits for the address for messages', async () => {
    await using server = await startSseServer({ onGet: ({ response }) => sendStream(response) })
    const opening = openSse({ url: server.url })
    const { response } = await waitFor(() => server.seen[0])
    let isStarted = false
    void opening.then(() => {
      isStarted = true
    })
    sendStream(response, ': one moment\n\n', toEvent(note))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isStarted).toBe(false)
    sendStream(response, 'event: endpoint\ndata: /messages\n\n')
    await using opened = await opening
    await opened.transport.send(note)
    expect(server.of('POST')[0]).toMatchObject({ path: '/messages', message: note })
    expect(server.of('GET')[0]?.headers.accept).toBe('text/event-stream')
  })

  test.for([
    ['a path', '/a/b?c=d', '/a/b?c=d'],
    ['a path beside it', 'messages?x=1', '/messages?x=1'],
    ['a query', '?session=1', '/sse?session=1'],
  ])('takes %s', async ([, endpoint = '', path]) => {
    await using server = await startSseServer({ endpoint })
    await using opened = await openSse({ url: server.url })
    await opened.transport.send(note)
    expect(server.of('POST')[0]?.path).toBe(path)
  })

  test('takes a whole address of its own origin', async () => {
    await using server = await startSseServer({
      onGet: ({ headers, response }) =>
        sendStream(response, `event: endpoint\ndata: http://${headers.host}/m\n\n`),
    })
    await using opened = await openSse({ url: server.url })
    await opened.transport.send(note)
    expect(server.of('POST')[0]?.path).toBe('/m')
  })

  test.for([
    'http://127.0.0.1:1/messages',
    '//evil.example/messages',
    'https://127.0.0.1/messages',
    'http://[',
    'file:///etc/passwd',
  ])('refuses %s', async (endpoint) => {
    await using server = await startSseServer({ endpoint })
    const failure = await failureOf(openSse({ url: server.url }))
    expect(failure).toMatchObject({ kind: 'protocol' })
    await waitFor(() => server.open() === 0)
    expect(server.of('POST')).toEqual([])
  })

  test('fails as any request does', async () => {
    await using server = await startSseServer({
      onGet: ({ response }) => void response.writeHead(503).end('x'.repeat(600)),
    })
    expect(await failureOf(openSse({ url: server.url }))).toMatchObject({
      kind: 'http',
      statusCode: 503,
      retryable: true,
      message: `mcp: http 503: ${'x'.repeat(512)}...`,
    })
    expect(await failureOf(openSse({ url: 'http://127.0.0.1:1/sse' }))).toMatchObject({
      kind: 'network',
      mayHaveRun: false,
    })
    await waitFor(() => server.open() === 0)
  })

  test('fails for an answer that is no stream, or a stream that ends', async () => {
    await using server = await startSseServer({
      onGet({ path, response }) {
        if (path === '/sse') response.end('<h1>Welcome</h1>')
        else response.writeHead(200, { 'content-type': 'text/event-stream' }).end()
      },
    })
    expect(await failureOf(openSse({ url: server.url }))).toMatchObject({ kind: 'protocol' })
    const ended = await failureOf(openSse({ url: `${server.origin}/ended` }))
    expect(ended).toMatchObject({ kind: 'network', retryable: true })
  })

  test('is ended by its signal, or by a close, and leaves nothing', async () => {
    await using server = await startSseServer({ onGet: ({ response }) => sendStream(response) })
    const controller = new AbortController()
    const first = createSseTransport({ url: server.url })
    const starting = failureOf(startTransport(first, { signal: controller.signal }))
    await waitFor(() => server.seen.length === 1)
    controller.abort()
    expect(await starting).toMatchObject({ kind: 'cancelled' })
    await waitFor(() => server.open() === 0)

    const second = createSseTransport({ url: server.url })
    const closing = failureOf(startTransport(second))
    await waitFor(() => server.seen.length === 2)
    await second.close()
    expect(await closing).toMatchObject({ kind: 'closed' })
    await waitFor(() => server.open() === 0)
  })
})

describe('a call', () => {
  test('is answered on the stream, in any order', async () => {
    await using server = await startSseServer()
    await using opened = await openSse({ url: server.url })
    const calls = [1, 2, 3].map((id) => opened.transport.call(toRequest('x', {}, id)))
    await waitFor(() => server.of('POST').length === 3)
    server.say(note)
    for (const request of server.of('POST').reverse()) server.say(toResult(request))
    expect((await Promise.all(calls)).map(({ id }) => id)).toEqual([1, 2, 3])
    expect(opened.messages).toEqual([note])
    expect(server.of('POST')[0]?.path).toBe('/messages?sessionId=s1')
  })

  test('may be answered before its POST is', async () => {
    await using server = await startSseServer({
      onPost: (request, { say }) => say(toResult(request)),
    })
    await using opened = await openSse({ url: server.url })
    expect(await opened.transport.call(toRequest())).toMatchObject({ id: 1, result: {} })
    expect(server.of('POST')[0]?.response.writableEnded).toBe(false)
    await waitFor(() => server.open() === 1, { timeoutMs: 10_000 })
  })

  test('may be answered with its POST', async () => {
    await using server = await startSseServer({
      onPost: (request) => sendJson(request.response, toResult(request, 'there')),
    })
    await using opened = await openSse({ url: server.url })
    expect(await opened.transport.call(toRequest())).toMatchObject({ result: 'there' })
  })

  test.for([
    ['text/plain', 'ok'],
    ['application/json', '{"status":"accepted"}'],
    ['application/json', ''],
    ['text/html', '<p>fine</p>'],
  ])('is not hurt by a POST that is answered with %s %j', async ([type = '', body]) => {
    await using server = await startSseServer({
      onPost(request, { say }) {
        request.response.writeHead(200, { 'content-type': type }).end(body)
        request.response.on('close', () => say(toResult(request)))
      },
    })
    await using opened = await openSse({ url: server.url })
    expect(await opened.transport.call(toRequest())).toMatchObject({ id: 1 })
    expect(opened.warnings).toEqual([])
  })

  test('fails with a POST that is refused; others go on', async () => {
    await using server = await startSseServer({
      onPost(request, { say }) {
        if (request.message.id === 1) request.response.writeHead(500).end('oh no')
        else {
          accept(request)
          say(toResult(request))
        }
      },
    })
    await using opened = await openSse({ url: server.url })
    const [bad, good] = await Promise.all([
      failureOf(opened.transport.call(toRequest('x', {}, 1))),
      opened.transport.call(toRequest('x', {}, 2)),
    ])
    expect(bad).toMatchObject({ kind: 'http', statusCode: 500, message: 'mcp: http 500: oh no' })
    expect(good).toMatchObject({ id: 2 })
  })

  test('is ended by its signal, and its answer then is nobody’s', async () => {
    await using server = await startSseServer()
    await using opened = await openSse({ url: server.url })
    const controller = new AbortController()
    const call = failureOf(opened.transport.call(toRequest(), { signal: controller.signal }))
    const request = await waitFor(() => server.of('POST')[0])
    controller.abort()
    expect(await call).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
    expect(opened.late).toEqual([])
    server.say(toResult(request))
    await waitFor(() => opened.late.length > 0)
    expect(opened.late).toEqual([1])
    expect(opened.warnings).toHaveLength(1)
  })

  test('says which protocol was agreed on', async () => {
    await using server = await startSseServer()
    await using opened = await openSse({ url: server.url })
    opened.transport.negotiated?.({ era: 'legacy', version: '2024-11-05' })
    await opened.transport.send(note)
    expect(server.of('POST')[0]?.headers['mcp-protocol-version']).toBe('2024-11-05')
  })
})

describe('a message over the limit fails its call at once and no other', () => {
  const text = 'x'.repeat(10_000)

  test.for([
    ['in front', (id: number) => ({ jsonrpc: '2.0', id, result: text })],
    ['behind', (id: number) => ({ jsonrpc: '2.0', result: text, id })],
  ] as const)('with the id %s', async ([, toMessage]) => {
    await using server = await startSseServer()
    await using opened = await openSse({ url: server.url, maxMessageBytes: 5_000 })
    const bad = failureOf(opened.transport.call(toRequest('x', {}, 1)))
    const good = opened.transport.call(toRequest('x', {}, 2))
    await waitFor(() => server.of('POST').length === 2)
    server.say(toMessage(1))
    expect(await bad).toMatchObject({ kind: 'too_large', mayHaveRun: true })
    server.say({ jsonrpc: '2.0', id: 2, result: 'fine' })
    expect(await good).toMatchObject({ result: 'fine' })
    expect(opened.closes).toEqual([])
  })

  test('and an event that never ends fails the only call there is', async () => {
    await using server = await startSseServer()
    await using opened = await openSse({ url: server.url, maxMessageBytes: 5_000 })
    const call = failureOf(opened.transport.call(toRequest()))
    await waitFor(() => server.of('POST').length === 1)
    sendStream(server.stream(), 'data: ', text)
    expect(await call).toMatchObject({ kind: 'too_large' })
  })
})

describe('the loss of the stream', () => {
  test.for(['end', 'destroy'] as const)('by %s is the loss of the server', async (way) => {
    await using server = await startSseServer()
    await using opened = await openSse({ url: server.url })
    const calls = [1, 2].map((id) => failureOf(opened.transport.call(toRequest('x', {}, id))))
    await waitFor(() => server.of('POST').length === 2)
    server.stream()[way]()
    for (const failure of await Promise.all(calls)) {
      expect(failure).toMatchObject({ kind: 'closed', retryable: true, mayHaveRun: true })
    }
    expect(opened.closes).toMatchObject([{ kind: 'closed' }])
    const late = await failureOf(opened.transport.call(toRequest()))
    expect(late).toMatchObject({ kind: 'closed', mayHaveRun: false })
    await opened.transport.close()
    expect(opened.closes).toHaveLength(1)
  })

  test('in an event drops that event', async () => {
    await using server = await startSseServer()
    await using proxy = await startFaultProxy({ target: server.url })
    await using opened = await openSse({ url: proxy.url })
    server.say(note)
    sendStream(server.stream(), 'data: {"jsonrpc":"2.0","method":"notif')
    await waitFor(() => opened.messages.length === 1)
    await proxy.set({ kind: 'reset' })
    await waitFor(() => opened.closes.length === 1)
    expect([opened.messages.length, opened.warnings]).toEqual([1, []])
  })

  test('by silence is noticed where the server used to show life', async () => {
    const clock = createFakeClock()
    await using server = await startSseServer()
    await using opened = await openSse({ url: server.url, clock })
    for (let beat = 1; beat <= 4; beat += 1) {
      clock.advance(15_000)
      sendStream(server.stream(), ': ping\n\n', toEvent(note))
      await waitFor(() => opened.messages.length === beat)
    }
    clock.advance(60_000)
    await waitFor(() => opened.closes.length === 1)
    await waitFor(() => server.open() === 0)
  })
})

test('the authorizer is asked for the stream and for messages', async () => {
  let signedIn = 0
  const authorizer = {
    headers: async () => ({ authorization: `Bearer token-${signedIn}` }),
    async challenged() {
      signedIn += 1
    },
  }
  await using server = await startSseServer({
    onGet({ headers, response }) {
      if (headers.authorization === 'Bearer token-0') response.writeHead(401).end()
      else sendStream(response, 'event: endpoint\ndata: /messages\n\n')
    },
    onPost(request) {
      if (request.headers.authorization === 'Bearer token-1') request.response.writeHead(401).end()
      else sendJson(request.response, toResult(request))
    },
  })
  await using opened = await openSse({ url: server.url, authorizer })
  expect(await opened.transport.call(toRequest())).toMatchObject({ result: {} })
  expect(server.seen.map(({ method, headers }) => `${method} ${headers.authorization}`)).toEqual([
    'GET Bearer token-0',
    'GET Bearer token-1',
    'POST Bearer token-1',
    'POST Bearer token-2',
  ])
})

test('close ends what is under way and leaves no connection', async () => {
  await using server = await startSseServer()
  const opened = await openSse({ url: server.url })
  const call = failureOf(opened.transport.call(toRequest()))
  await waitFor(() => server.of('POST').length === 1)
  await opened.transport.close()
  expect(await call).toMatchObject({ kind: 'closed', mayHaveRun: true })
  await waitFor(() => server.open() === 0)
  expect(opened.closes).toEqual([])
})

test('an address that may not be reached fails the start', async () => {
  await using egress = createEgress({ policy: { mode: 'public' } })
  const failure = await failureOf(openSse({ url: 'http://127.0.0.1:1/sse', egress }))
  expect(failure).toMatchObject({ kind: 'config', code: 'egress_denied', retryable: false })
})
