import { createEgress } from '@dataagent/guard'
import { createFakeClock, longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createHttpTransport } from './http-transport.ts'
import {
  asLegacyServer,
  sendJson,
  sendStream,
  startHttpServer,
  toEvent,
  toResult,
} from './test-http-server.ts'
import { failureOf, openHttp, startTransport, toRequest } from './test-http-transport.ts'

const note = { jsonrpc: '2.0', method: 'notifications/x' } as const

describe('a lost session', () => {
  const session = 'session-1'

  test.for([
    ['404', 404, 'Session not found'],
    [
      '400 and words',
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}',
    ],
  ] as const)('is told by %s, for calls and notifications', async ([, status, body]) => {
    let isLost = false
    await using server = await startHttpServer((request) => {
      if (isLost) request.response.writeHead(status).end(body)
      else asLegacyServer(() => {}, { session })(request)
    })
    await using opened = await openHttp({ url: server.url }, 'legacy')
    isLost = true
    const expected = {
      kind: 'session_lost',
      retryable: true,
      mayHaveRun: false,
      statusCode: status,
    }
    expect(await failureOf(opened.transport.call(toRequest()))).toMatchObject(expected)
    expect(await failureOf(opened.transport.send(note))).toMatchObject(expected)
  })

  test.for([
    ['404', 404, -32_002, 'No such order', 'http'],
    ['400 that speaks of a session', 400, -32_000, 'The checkout session expired', 'http'],
    ['404 as servers say it', 404, -32_001, 'Session not found', 'session_lost'],
  ] as const)('is never a reason to send again what was answered: %s', async (given) => {
    const [, status, code, message, kind] = given
    await using server = await startHttpServer(
      asLegacyServer(
        (request) => {
          const error = { code, message }
          sendJson(request.response, { jsonrpc: '2.0', id: request.message.id, error }, status)
        },
        { session },
      ),
    )
    await using opened = await openHttp({ url: server.url }, 'legacy')
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind, statusCode: status, mayHaveRun: true })
  })

  test('is not an unknown method, nor any 404 without a session', async () => {
    const unknown = { code: -32_601, message: 'Method not found' }
    await using server = await startHttpServer(
      asLegacyServer(({ message, response }) =>
        sendJson(response, { jsonrpc: '2.0', id: message.id, error: unknown }, 404),
      ),
    )
    await using opened = await openHttp({ url: server.url }, 'legacy')
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind: 'http', statusCode: 404, rpc: unknown })
    await using other = await startHttpServer(({ response }) => void response.writeHead(404).end())
    await using without = await openHttp({ url: other.url })
    expect(await failureOf(without.transport.call(toRequest()))).toMatchObject({ kind: 'http' })
  })
})

test('a notification is taken as soon as the server says so', async () => {
  await using server = await startHttpServer((request) => {
    const { message, response } = request
    if (message?.method === note.method) response.writeHead(202).write(' ')
    else asLegacyServer(() => {})(request)
  })
  await using opened = await openHttp({ url: server.url }, 'legacy')
  await opened.transport.send(note)
  await waitFor(() => server.open() <= 1, { timeoutMs: 10_000 })
})

describe('close', () => {
  test('ends what is under way, tells the server, and leaves no connection or timer', async () => {
    const clock = createFakeClock()
    await using server = await startHttpServer((request) => {
      const { method, response } = request
      if (method === 'GET') sendStream(response)
      else if (method === 'DELETE') response.writeHead(200).end()
      else asLegacyServer(() => sendStream(response, toEvent(note)))(request)
    })
    const opened = await openHttp({ url: server.url, clock }, 'legacy')
    const calls = [1, 2, 3].map((id) => failureOf(opened.transport.call(toRequest('x', {}, id))))
    await waitFor(() => opened.messages.length === 3 && server.of('GET').length === 1)
    await Promise.all([opened.transport.close(), opened.transport.close()])
    for (const failure of await Promise.all(calls)) {
      expect(failure).toMatchObject({ kind: 'closed', mayHaveRun: true })
    }
    expect(server.of('DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual([
      'session-1',
    ])
    await waitFor(() => server.open() === 0)
    expect([clock.pending(), opened.closes]).toEqual([0, []])
    const late = await failureOf(opened.transport.call(toRequest()))
    expect(late).toMatchObject({ kind: 'closed', mayHaveRun: false })
    expect(await failureOf(opened.transport.send(note))).toMatchObject({ kind: 'closed' })
  })

  test('does not wait long for a server that does not answer', async () => {
    const clock = createFakeClock()
    await using server = await startHttpServer((request) => {
      if (request.method !== 'DELETE') asLegacyServer(() => {})(request)
    })
    const opened = await openHttp({ url: server.url, clock }, 'legacy')
    const closed = opened.transport.close()
    await waitFor(() => server.of('DELETE').length === 1)
    clock.advance(2_000)
    await closed
    await waitFor(() => server.open() === 0)
  })

  test('does not mind a server that has gone', async () => {
    const server = await startHttpServer(asLegacyServer(() => {}))
    const opened = await openHttp({ url: server.url }, 'legacy')
    await server[Symbol.asyncDispose]()
    await opened.transport.close()
    expect(opened.closes).toEqual([])
  })

  test('before the start, or instead of it, is nothing', async () => {
    const transport = createHttpTransport({ url: 'http://127.0.0.1:1' })
    await transport.close()
    expect(await failureOf(transport.call(toRequest()))).toMatchObject({ kind: 'closed' })
    const signal = AbortSignal.abort()
    const other = createHttpTransport({ url: 'http://127.0.0.1:1' })
    expect(await failureOf(startTransport(other, { signal }))).toMatchObject({ kind: 'cancelled' })
  })

  test('leaves an egress that was given open, but no stream on it', async () => {
    await using egress = createEgress({ policy: { mode: 'any' } })
    await using server = await startHttpServer((request) => {
      if (request.method === 'GET') sendStream(request.response)
      else asLegacyServer((call) => sendJson(call.response, toResult(call)))(request)
    })
    const first = await openHttp({ url: server.url, egress }, 'legacy')
    const get = await waitFor(() => server.of('GET')[0])
    await first.transport.close()
    await waitFor(() => get.response.destroyed)
    await using second = await openHttp({ url: server.url, egress }, 'legacy')
    expect(await second.transport.call(toRequest())).toMatchObject({ result: {} })
  })
})

test('a host may close the transport from within a message', async () => {
  await using server = await startHttpServer(
    asLegacyServer((request) => {
      sendStream(request.response, `${toEvent(note)}${toEvent(note)}${toEvent(toResult(request))}`)
    }),
  )
  const transport = createHttpTransport({ url: server.url })
  const heard: string[] = []
  let closed: Promise<void> | undefined
  await transport.start({
    onMessage({ method }) {
      heard.push(method)
      closed = transport.close()
    },
    onClose: () => void heard.push('close'),
    onWarning: (text) => void heard.push(text),
  })
  const failure = await failureOf(transport.call(toRequest()))
  expect(failure).toMatchObject({ kind: 'closed', mayHaveRun: true })
  await closed
  expect(heard).toEqual(['notifications/x'])
})

test('many cancelled calls leave no listener, timer or connection', async () => {
  const count = longCount(200, 5_000)
  const clock = createFakeClock()
  await using server = await startHttpServer(
    asLegacyServer((request) => {
      if (request.message.method === 'echo') sendJson(request.response, toResult(request))
      else sendStream(request.response, toEvent(note))
    }),
  )
  await using opened = await openHttp({ url: server.url, clock }, 'legacy')
  const controller = new AbortController()
  let listeners = 0
  const signal = new Proxy(controller.signal, {
    get(target, key) {
      if (key === 'addEventListener') listeners += 1
      if (key === 'removeEventListener') listeners -= 1
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  for (let id = 1; id <= count; id += 1) {
    await opened.transport.call(toRequest('echo', {}, id), { signal })
    const own = new AbortController()
    const call = failureOf(
      opened.transport.call(toRequest('hang', {}, -id), { signal: own.signal }),
    )
    if (id % 2 === 0) await waitFor(() => opened.messages.length > 0, { intervalMs: 1 })
    own.abort()
    expect(await call).toMatchObject({ kind: 'cancelled' })
    opened.messages.length = 0
  }
  expect([listeners, clock.pending()]).toEqual([0, 0])
  await waitFor(() => server.open() <= 2, { timeoutMs: 15_000 })
}, 60_000)
