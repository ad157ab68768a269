import { gzipSync } from 'node:zlib'
import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import {
  type Handler,
  sendJson,
  sendStream,
  startHttpServer,
  toEvent,
  toResult,
} from './test-http-server.ts'
import { failureOf, modernMeta, openHttp, toRequest } from './test-http-transport.ts'

const mebi = 1024 * 1024
const maxMessageBytes = mebi

describe('a message over the limit fails its call at once', () => {
  const chunk = Buffer.alloc(256 * 1024, 'x')

  /** Writes as long as somebody reads. */
  const pour: Handler = ({ response }) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  }

  test.for([
    [
      'by the length that is announced',
      ({ response }) => {
        response.writeHead(200, { 'content-length': 100 * mebi })
        response.write('{')
      },
    ],
    ['as a body that never ends', pour],
    [
      'as an event that never ends',
      (request) => {
        sendStream(request.response, 'data: ')
        pour(request)
      },
    ],
    [
      'as an event of many lines',
      ({ response }) => sendStream(response, `data: ${'y'.repeat(1_000)}\n`.repeat(2_000)),
    ],
    [
      'as a body that is small while it is compressed',
      ({ response }) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.write(gzipSync(Buffer.alloc(50 * mebi)))
      },
    ],
  ] as [string, Handler][])('%s', async ([, handler]) => {
    await using server = await startHttpServer(handler)
    await using opened = await openHttp({ url: server.url, maxMessageBytes })
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind: 'too_large', retryable: false, mayHaveRun: true })
    expect(failure.message).toContain('1048576 bytes (maxMessageBytes)')
    await waitFor(() => server.open() === 0)
  })

  test('with what came before it, and other calls go on', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/x' }
    await using server = await startHttpServer((request) => {
      if (request.message.method === 'good') sendJson(request.response, toResult(request))
      else sendStream(request.response, `${toEvent(note)}data: ${'x'.repeat(2 * mebi)}`)
    })
    await using opened = await openHttp({ url: server.url, maxMessageBytes })
    const [bad, good] = await Promise.all([
      failureOf(opened.transport.call(toRequest('bad', {}, 1))),
      opened.transport.call(toRequest('good', {}, 2)),
    ])
    expect([bad.kind, good.id]).toEqual(['too_large', 2])
    expect(opened.messages).toEqual([note])
  })
})

describe('a large message', () => {
  test.for([
    ['body', (request, text) => sendJson(request.response, toResult(request, text))],
    [
      'event',
      (request, text) => {
        sendStream(request.response, toEvent(toResult(request, text)))
        request.response.end()
      },
    ],
  ] as [string, (request: Parameters<Handler>[0], text: string) => void][])(
    'of 10 MiB in one %s arrives whole',
    async ([, answer]) => {
      const text = '0123456789abcdef'.repeat((10 * mebi) / 16)
      await using server = await startHttpServer((request) => answer(request, text))
      await using opened = await openHttp({ url: server.url })
      const response = await opened.transport.call(toRequest())
      expect('result' in response && response.result === text).toBe(true)
    },
  )

  test('on a stream keeps its place among the others', async () => {
    const numbered = (n: number, text: string) =>
      toEvent({ jsonrpc: '2.0', method: 'notifications/x', params: { n, text } })
    await using server = await startHttpServer((request) => {
      for (let n = 0; n < 20; n += 1) {
        sendStream(request.response, numbered(n, 'x'.repeat(n % 4 === 0 ? 300_000 : 10)))
      }
      sendStream(request.response, toEvent(toResult(request)))
      request.response.end()
    })
    await using opened = await openHttp({ url: server.url })
    await opened.transport.call(toRequest())
    expect(opened.messages.map(({ params }) => params?.n)).toEqual([...Array(20).keys()])
  })

  test('of the limit exactly is read', async () => {
    const frame = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '' }).length
    const text = 'x'.repeat(maxMessageBytes - frame)
    await using server = await startHttpServer((request) => {
      if (request.path === '/mcp') sendJson(request.response, toResult(request, text))
      else sendStream(request.response, toEvent(toResult(request, text)))
    })
    for (const url of [server.url, `${server.origin}/stream`]) {
      await using opened = await openHttp({ url, maxMessageBytes })
      expect(await opened.transport.call(toRequest())).toMatchObject({ id: 1 })
    }
  })
})

test('a stream as a whole has no limit', async () => {
  const note = toEvent({
    jsonrpc: '2.0',
    method: 'notifications/x',
    params: { x: 'y'.repeat(50_000) },
  })
  await using server = await startHttpServer((request) => {
    for (let i = 0; i < 100; i += 1) sendStream(request.response, note)
    sendStream(request.response, toEvent(toResult(request)))
    request.response.end()
  })
  await using opened = await openHttp({ url: server.url, maxMessageBytes: 100_000 }, 'modern')
  const request = toRequest('subscriptions/listen', modernMeta)
  await opened.transport.call(request, { endless: true })
  expect(opened.messages).toHaveLength(100)
})
