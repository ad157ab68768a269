import { createFakeClock, startFaultProxy, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import {
  asLegacyServer,
  type Handler,
  type SeenRequest,
  sendStream,
  startHttpServer,
  toEvent,
  toResult,
} from './test-http-server.ts'
import { failureOf, modernMeta, openHttp, toRequest } from './test-http-transport.ts'

const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }

/** A server that never answers a call on its own stream, but primes it for being resumed. */
function startPollingServer(onResume: (get: SeenRequest, call: SeenRequest) => void) {
  let call: SeenRequest | undefined
  return startHttpServer((request) => {
    const { method, headers, response } = request
    if (method !== 'GET') {
      asLegacyServer((given) => {
        call = given
        sendStream(given.response, 'id: e1\nretry: 500\ndata:\n\n', toEvent(progress))
        given.response.end()
      })(request)
    } else if (headers['last-event-id'] === undefined) response.writeHead(405).end()
    else if (call !== undefined) onResume(request, call)
  })
}

async function prepare(onResume: (get: SeenRequest, call: SeenRequest) => void) {
  const clock = createFakeClock()
  const server = await startPollingServer(onResume)
  const opened = await openHttp({ url: server.url, clock }, 'legacy')
  return {
    ...opened,
    clock,
    server,
    resumes: () => server.of('GET').filter(({ headers }) => headers['last-event-id']),
    async [Symbol.asyncDispose]() {
      await opened.transport.close()
      expect(clock.pending()).toBe(0)
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('an answer whose stream ends early', () => {
  test('is asked for by GET, not before the server wants it', async () => {
    await using given = await prepare((get, call) => {
      sendStream(get.response, toEvent(toResult(call, 'late'), 'id: e2\n'))
      get.response.end()
    })
    const call = given.transport.call(toRequest())
    await waitFor(() => given.clock.pending() === 1)
    given.clock.advance(499)
    expect(given.resumes()).toHaveLength(0)
    given.clock.advance(1)
    expect(await call).toMatchObject({ id: 1, result: 'late' })
    expect(given.messages).toEqual([progress])
    expect(given.resumes()[0]?.headers).toMatchObject({
      'last-event-id': 'e1',
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-11-25',
    })
    expect(given.server.of('POST').filter(({ message }) => message.id === 1)).toHaveLength(1)
  })

  test('is polled for as long as the server wants, each time from the last event', async () => {
    await using given = await prepare((get, call) => {
      const count = given.resumes().length
      if (count < 12) sendStream(get.response, count < 3 ? `id: p${count}\n\n` : '')
      else sendStream(get.response, toEvent(toResult(call)))
      get.response.end()
    })
    const call = given.transport.call(toRequest())
    for (let poll = 1; poll <= 12; poll += 1) {
      await waitFor(() => given.clock.pending() === 1)
      given.clock.advance(500)
      await waitFor(() => given.resumes().length === poll)
    }
    expect(await call).toMatchObject({ result: {} })
    const ids = given.resumes().map(({ headers }) => headers['last-event-id'])
    expect(ids.slice(0, 4)).toEqual(['e1', 'p1', 'p2', 'p2'])
  })

  test('may come on the stream for everything else', async () => {
    const clock = createFakeClock()
    let call: SeenRequest | undefined
    await using server = await startHttpServer((request) => {
      if (request.method === 'GET') sendStream(request.response)
      else {
        asLegacyServer((given) => {
          call = given
          sendStream(given.response, 'id: e1\nretry: 60000\n\n')
          given.response.end()
        })(request)
      }
    })
    await using opened = await openHttp({ url: server.url, clock }, 'legacy')
    const listening = await waitFor(() => server.of('GET')[0])
    const answer = opened.transport.call(toRequest())
    await waitFor(() => clock.pending() === 1)
    if (call !== undefined) sendStream(listening.response, toEvent(toResult(call, 'there')))
    expect(await answer).toMatchObject({ result: 'there' })
  })

  test('is given up when the server does not resume it', async () => {
    await using given = await prepare(({ response }) => void response.writeHead(400).end('no'))
    const call = failureOf(given.transport.call(toRequest()))
    await waitFor(() => given.clock.pending() === 1)
    given.clock.advance(500)
    const failure = await call
    expect(failure).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: true })
    expect(failure.message).toBe('mcp: the answer to "tools/call" broke off and was not resumed')
    expect(failure.cause).toMatchObject({ kind: 'http', statusCode: 400 })
  })

  test('is given up after five failures in a row', async () => {
    await using given = await prepare(({ response }) => void response.writeHead(503).end())
    const call = failureOf(given.transport.call(toRequest()))
    for (const ms of [500, 2_000, 4_000, 8_000, 16_000, 32_000]) {
      await waitFor(() => given.clock.pending() === 1)
      given.clock.advance(ms)
    }
    expect(await call).toMatchObject({ kind: 'network', mayHaveRun: true })
    expect(given.resumes()).toHaveLength(6)
  })

  test('is not waited for after a cancel', async () => {
    await using given = await prepare(() => {})
    const controller = new AbortController()
    const call = failureOf(given.transport.call(toRequest(), { signal: controller.signal }))
    await waitFor(() => given.clock.pending() === 1)
    controller.abort()
    expect(await call).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
    expect(given.clock.pending()).toBe(0)
  })

  test('is not waited for after a close', async () => {
    await using given = await prepare(() => {})
    const call = failureOf(given.transport.call(toRequest()))
    await waitFor(() => given.clock.pending() === 1)
    given.clock.advance(500)
    await waitFor(() => given.resumes().length === 1)
    await given.transport.close()
    expect(await call).toMatchObject({ kind: 'closed', mayHaveRun: true })
  })
})

test('a stream that is cut in an event is resumed from the event before', async () => {
  const clock = createFakeClock()
  let isCut = false
  await using server = await startHttpServer((request) => {
    const { method, headers, response } = request
    if (method === 'GET' && headers['last-event-id'] === 'e1') {
      sendStream(response, toEvent({ jsonrpc: '2.0', id: 1, result: 'whole' }))
      response.end()
    } else {
      asLegacyServer((call) => {
        sendStream(call.response, 'id: e1\n\n', 'id: e2\ndata: {"jsonrpc":"2.0","id":1,"resu')
      })(request)
    }
  })
  await using proxy = await startFaultProxy({ target: server.url })
  await using opened = await openHttp({ url: proxy.url, clock }, 'legacy')
  const call = opened.transport.call(toRequest())
  await waitFor(() => server.of('POST').some(({ message }) => message.id === 1))
  await waitFor(() => proxy.counters().bytes.down > 0)
  await waitFor(async () => {
    if (!isCut) await proxy.set({ kind: 'reset' }, 'open')
    isCut = clock.pending() === 1
    return isCut
  })
  clock.advance(1_000)
  expect(await call).toMatchObject({ result: 'whole' })
})

test.for([
  ['in the modern era', 'modern' as const],
  ['before the era is known', undefined],
])('nothing is resumed %s', async ([, era]) => {
  const handler: Handler = ({ response }) => {
    sendStream(response, 'id: e1\nretry: 100\n\n')
    response.end()
  }
  await using server = await startHttpServer(handler)
  await using opened = await openHttp({ url: server.url }, era as 'modern' | undefined)
  const failure = await failureOf(opened.transport.call(toRequest('tools/call', modernMeta)))
  expect(failure).toMatchObject({ kind: 'network', mayHaveRun: true })
  expect(server.of('GET')).toEqual([])
})
