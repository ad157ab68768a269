import { createFakeClock, startFaultProxy, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import {
  asLegacyServer,
  type Handler,
  sendJson,
  sendStream,
  startHttpServer,
  toEvent,
  toResult,
} from './test-http-server.ts'
import { openHttp, toRequest } from './test-http-transport.ts'

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

/** A legacy server whose GET is answered by `onGet`. */
const withGet =
  (onGet: Handler): Handler =>
  (request) => {
    if (request.method === 'GET') onGet(request)
    else asLegacyServer((call) => sendJson(call.response, toResult(call)))(request)
  }

async function prepare(onGet: Handler, { maxMessageBytes }: { maxMessageBytes?: number } = {}) {
  const clock = createFakeClock()
  const server = await startHttpServer(withGet(onGet))
  const opened = await openHttp({ url: server.url, clock, maxMessageBytes }, 'legacy')
  return {
    ...opened,
    clock,
    server,
    gets: () => server.of('GET'),
    /** When the transport waits, moves time to just before the next attempt and then to it. */
    async expectNextAfter(ms: number) {
      await waitFor(() => clock.pending() === 1)
      const before = server.of('GET').length
      clock.advance(ms - 1)
      expect(clock.pending()).toBe(1)
      clock.advance(1)
      await waitFor(() => server.of('GET').length === before + 1)
    },
    async [Symbol.asyncDispose]() {
      await opened.transport.close()
      expect(clock.pending()).toBe(0)
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('the stream of the server', () => {
  test('brings what it says by itself, in order', async () => {
    const question = { jsonrpc: '2.0', id: 'q', method: 'ping' }
    await using given = await prepare(({ response }) =>
      sendStream(response, toEvent(changed), ': still here\n\n', toEvent(question)),
    )
    await waitFor(() => given.messages.length === 2)
    expect(given.messages).toEqual([changed, question])
    expect(given.owners).toEqual([undefined, undefined])
    expect(given.gets()[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
      'mcp-session-id': 'session-1',
    })
  })

  test('is opened after the handshake, not before', async () => {
    await using given = await prepare(({ response }) => sendStream(response))
    await waitFor(() => given.gets().length === 1)
    expect(given.server.seen.map(({ method, message }) => message?.method ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'GET',
    ])
  })

  test.for([400, 404, 405, 406, 410])(
    'that is refused with %i is not asked for again',
    async (status) => {
      await using given = await prepare(({ response }) => void response.writeHead(status).end())
      await waitFor(() => given.gets().length === 1)
      await given.transport.call(toRequest())
      await given.clock.advanceAsync(3_600_000)
      expect([given.gets().length, given.warnings, given.closes]).toEqual([1, [], []])
    },
  )

  test('that is something else is left alone', async () => {
    await using given = await prepare(({ response }) => void response.end('<h1>Welcome</h1>'))
    await waitFor(() => given.gets().length === 1)
    await given.transport.call(toRequest())
    await given.clock.advanceAsync(3_600_000)
    expect([given.gets().length, given.warnings]).toEqual([1, []])
  })

  test('is opened again when it ends, from the last event', async () => {
    await using given = await prepare(({ response }) => {
      sendStream(response, toEvent(changed, 'id: größe-7\n'))
      response.end()
    })
    await given.expectNextAfter(1_000)
    const sent = given.gets()[1]?.headers['last-event-id'] as string
    expect(Buffer.from(sent, 'latin1').toString()).toBe('größe-7')
    await waitFor(() => given.messages.length === 2)
  })

  test('is opened later and later when it brings nothing', async () => {
    await using given = await prepare(({ response }) => {
      sendStream(response)
      response.end()
    })
    for (const ms of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await given.expectNextAfter(ms)
    }
  })

  test('is opened when the server wants it, within bounds', async () => {
    const asked = [2_500, 0, 86_400_000]
    await using given = await prepare(({ response }) => {
      sendStream(response, `retry: ${asked.shift() ?? 2_500}\n\n`)
      response.end()
    })
    for (const ms of [2_500, 100, 300_000, 2_500]) await given.expectNextAfter(ms)
  })

  test('is opened again after 5xx', async () => {
    let count = 0
    await using given = await prepare(({ response }) => {
      count += 1
      if (count <= 2) response.writeHead(503).end()
      else sendStream(response, toEvent(changed))
    })
    await given.expectNextAfter(1_000)
    await given.expectNextAfter(2_000)
    await waitFor(() => given.messages.length === 1)
  })

  test('that comes back without the session tells that the server has gone', async () => {
    let count = 0
    await using given = await prepare(({ response }) => {
      count += 1
      if (count > 1) response.writeHead(404).end('Session not found')
      else {
        sendStream(response, toEvent(changed))
        response.end()
      }
    })
    await given.expectNextAfter(1_000)
    await waitFor(() => given.closes.length === 1)
    expect(given.closes[0]).toMatchObject({ kind: 'session_lost', retryable: true })
    await expect(given.transport.call(toRequest())).rejects.toMatchObject({ kind: 'closed' })
    await given.transport.close()
    expect(given.server.of('DELETE')).toEqual([])
  })

  test('goes on behind an event that is too large', async () => {
    const big = { ...changed, params: { text: 'x'.repeat(10_000) } }
    await using given = await prepare(
      ({ response }) => sendStream(response, toEvent(changed), toEvent(big), toEvent(changed)),
      { maxMessageBytes: 2_000 },
    )
    await waitFor(() => given.messages.length === 2)
    expect(given.gets()).toHaveLength(1)
    expect(given.warnings).toEqual([
      'an event of the server was skipped: mcp: the server sent a message of more than 2000 bytes (maxMessageBytes)',
    ])
  })

  test('that falls silent though it used to show life is opened again', async () => {
    await using given = await prepare(({ response }) => sendStream(response, ': 0\n\n'))
    await waitFor(() => given.gets().length === 1)
    const { response } = given.gets()[0] ?? (undefined as never)
    for (let beat = 1; beat <= 4; beat += 1) {
      given.clock.advance(20_000)
      sendStream(response, `: ${beat}\n\n`, toEvent({ ...changed, params: { beat } }))
      await waitFor(() => given.messages.length === beat)
    }
    given.clock.advance(79_999)
    expect(given.gets()).toHaveLength(1)
    given.clock.advance(1)
    await given.expectNextAfter(1_000)
  })
})

test('a stream that is cut is opened again over a new connection', async () => {
  const clock = createFakeClock()
  await using server = await startHttpServer(
    withGet(({ response }) => sendStream(response, toEvent(changed, 'id: 5\n'))),
  )
  await using proxy = await startFaultProxy({ target: server.url })
  await using opened = await openHttp({ url: proxy.url, clock }, 'legacy')
  await waitFor(() => opened.messages.length === 1)
  await proxy.set({ kind: 'reset' }, 'open')
  await waitFor(() => clock.pending() === 1)
  clock.advance(1_000)
  await waitFor(() => opened.messages.length === 2)
  expect(server.of('GET')[1]?.headers['last-event-id']).toBe('5')
})
