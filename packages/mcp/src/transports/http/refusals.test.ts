import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createMcpClient } from '../../client/client.ts'
import { createSseTransport } from '../sse/sse-transport.ts'
import { createHttpTransport } from './http-transport.ts'
import {
  asLegacyServer,
  type Handler,
  sendJson,
  sendStream,
  startHttpServer,
  toResult,
} from './test-http-server.ts'
import {
  failureOf,
  modernMeta,
  openHttp,
  startTransport,
  toRequest,
} from './test-http-transport.ts'

const kibi = 1024

/** What a call fails with when it is answered so. */
async function refusalOf(handler: Handler) {
  await using server = await startHttpServer(handler)
  await using opened = await openHttp({ url: server.url })
  return await failureOf(opened.transport.call(toRequest()))
}

const refuseWith =
  (status: number, body: string | Buffer): Handler =>
  ({ response }) =>
    void response.writeHead(status).end(body)

describe('an answer that is not 2xx [C3.2]', () => {
  test('TestHTTPTransport_NonOK_StatusCode: status, preview and text; 128 KiB of the body are read', async () => {
    const error = await refusalOf(refuseWith(503, 'x'.repeat(600)))
    const bodyPreview = `${'x'.repeat(512)}...`
    expect(error).toMatchObject({ kind: 'http', statusCode: 503, bodyPreview })
    expect(error.message).toBe(`mcp: http 503: ${bodyPreview}`)

    // A body that never ends is read as far as its 128 KiB, and not a byte less.
    await using server = await startHttpServer(({ path, response }) => {
      response.writeHead(500).write('y'.repeat(128 * kibi - (path === '/less' ? 1 : 0)))
    })
    await using whole = await openHttp({ url: `${server.origin}/whole` })
    await using less = await openHttp({ url: `${server.origin}/less` })
    const controller = new AbortController()
    const shorter = failureOf(less.transport.call(toRequest(), { signal: controller.signal }))
    await waitFor(() => server.seen.length === 1)
    const full = await failureOf(whole.transport.call(toRequest()))
    expect(full.bodyPreview).toBe(`${'y'.repeat(512)}...`)
    controller.abort()
    expect(await shorter).toMatchObject({ kind: 'cancelled' })
    await waitFor(() => server.open() === 0)
  })

  test('is cut at 512 characters, not in the middle of one, and only then gets its dots', async () => {
    const exact = await refusalOf(refuseWith(500, '界'.repeat(512)))
    expect(exact.bodyPreview).toBe('界'.repeat(512))
    const longer = await refusalOf(refuseWith(500, '👍'.repeat(513)))
    expect(longer.bodyPreview).toBe(`${'👍'.repeat(512)}...`)
    expect((await refusalOf(refuseWith(500, ''))).message).toBe('mcp: http 500: ')
  })

  test('may be tried again for 5xx and 429, and has perhaps run for 5xx alone', async () => {
    const verdicts = await Promise.all(
      [500, 501, 502, 503, 504, 599, 429, 400, 401, 402, 403, 404, 405, 408, 409, 418, 422].map(
        async (status) => {
          const { retryable, mayHaveRun } = await refusalOf(refuseWith(status, 'no'))
          return { status, retryable, mayHaveRun }
        },
      ),
    )
    for (const { status, retryable, mayHaveRun } of verdicts) {
      expect({ status, retryable }).toEqual({ status, retryable: status >= 500 || status === 429 })
      expect({ status, mayHaveRun }).toEqual({ status, mayHaveRun: status >= 500 })
    }
  })

  test('may be tried again also without an answer: no connection, one that is cut, no answer in time; nothing else', async () => {
    await using nobody = await openHttp({ url: 'http://127.0.0.1:1/mcp' })
    const refused = await failureOf(nobody.transport.call(toRequest()))
    expect(refused).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: false })

    const cut = await refusalOf(({ response }) => void response.socket?.destroy())
    expect(cut).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: true })

    await using server = await startHttpServer(asLegacyServer(() => {}))
    await using client = createMcpClient({
      transport: createHttpTransport({ url: server.url }),
      timeoutMs: 500,
    })
    await client.connect({ era: 'legacy' })
    const late = await failureOf(client.callTool('slow'))
    expect(late).toMatchObject({ kind: 'timeout', retryable: true, mayHaveRun: true })

    const nonsense = await refusalOf(({ response }) => void response.end('nonsense'))
    expect(nonsense).toMatchObject({ kind: 'protocol', retryable: false })
    const signal = AbortSignal.abort()
    const cancelled = await failureOf(nobody.transport.call(toRequest(), { signal }))
    expect(cancelled).toMatchObject({ kind: 'cancelled', retryable: false })
  })

  test('configured headers go with every request: POST, GET, DELETE, and over HTTP+SSE', async () => {
    const headers = { Authorization: 'Bearer secret', 'X-Team': 'data' }
    await using server = await startHttpServer((request) => {
      const { method, path, response } = request
      if (method === 'GET') sendStream(response, 'event: endpoint\ndata: /messages\n\n')
      else if (path === '/messages') response.writeHead(202).end()
      else asLegacyServer(() => {})(request)
    })
    const http = await openHttp({ url: server.url, headers }, 'legacy')
    await waitFor(() => server.of('GET').length === 1)
    await http.transport.close()
    const sse = await startTransport(createSseTransport({ url: server.url, headers }))
    await sse.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await sse.transport.close()
    expect(server.seen.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /mcp',
      'GET /mcp',
      'GET /mcp',
      'POST /mcp',
      'POST /mcp',
      'POST /messages',
    ])
    for (const seen of server.seen) {
      expect(seen.headers).toMatchObject({ authorization: 'Bearer secret', 'x-team': 'data' })
    }
  })
})

describe('a JSON-RPC error with 4xx', () => {
  const error = { code: -32_022, message: 'Unsupported', data: { supported: ['2026-07-28'] } }
  const refuse =
    (status: number, id: unknown): Handler =>
    ({ response }) =>
      sendJson(response, { jsonrpc: '2.0', id, error }, status)

  test.for([
    [400, 1],
    [404, 1],
    [400, null],
  ] as const)('%s is an answer before the era is known', async ([status, id]) => {
    await using server = await startHttpServer(refuse(status, id))
    await using opened = await openHttp({ url: server.url })
    const answer = await opened.transport.call(toRequest('server/discover', modernMeta))
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, error })
  })

  test('is an answer in the modern era', async () => {
    await using server = await startHttpServer(refuse(404, 1))
    await using opened = await openHttp({ url: server.url }, 'modern')
    expect(await opened.transport.call(toRequest('x', modernMeta))).toMatchObject({ error })
  })

  test.for([
    [400, 2],
    [403, 1],
    [409, 1],
    [500, 1],
  ] as const)('%s with id %s is a refusal all the same', async ([status, id]) => {
    await using server = await startHttpServer(refuse(status, id))
    await using opened = await openHttp({ url: server.url }, 'modern')
    const failure = await failureOf(opened.transport.call(toRequest('x', modernMeta)))
    expect(failure).toMatchObject({ kind: 'http', statusCode: status })
    expect(failure.rpc).toEqual(id === 1 ? error : undefined)
  })

  test('is a refusal in the legacy era, which keeps the error', async () => {
    await using server = await startHttpServer(asLegacyServer(refuse(400, 1)))
    await using opened = await openHttp({ url: server.url }, 'legacy')
    const failure = await failureOf(opened.transport.call(toRequest()))
    expect(failure).toMatchObject({ kind: 'http', statusCode: 400, rpc: error })
  })
})

test('a refused notification fails as a call does', async () => {
  await using server = await startHttpServer(refuseWith(422, 'no'))
  await using opened = await openHttp({ url: server.url })
  const notification = { jsonrpc: '2.0', method: 'notifications/x' } as const
  expect(await failureOf(opened.transport.send(notification))).toMatchObject({
    kind: 'http',
    statusCode: 422,
    message: 'mcp: http 422: no',
  })
})

test('no error holds a header, the path or the query', async () => {
  const headers = { authorization: 'Bearer canary-1' }
  await using server = await startHttpServer((request) => {
    if (request.path.startsWith('/cut')) request.response.socket?.destroy()
    else if (request.path.startsWith('/no')) request.response.writeHead(500).end('sorry')
    else sendJson(request.response, toResult(request))
  })
  const urls = [
    `${server.origin}/cut/canary-2?key=canary-3`,
    `${server.origin}/no/canary-2?key=canary-3`,
    'http://127.0.0.1:1/canary-2?key=canary-3',
    'http://canary-2:canary-3@127.0.0.1:1/',
    'canary-2 canary-3',
  ]
  for (const url of urls) {
    const failure = await failureOf(
      openHttp({ url, headers }).then(({ transport }) => transport.call(toRequest())),
    )
    expect(describeWhole(failure)).not.toContain('canary')
  }
})

test('what the server says back of headers, credential and address is taken out', async () => {
  const handler: Handler = ({ path, headers, response }) => {
    const error = { code: -32_000, message: `Cannot POST ${path} with ${headers['x-key']}` }
    const said = { jsonrpc: '2.0', id: 1, error, headers: { ...headers, host: 'here' } }
    sendJson(response, said, 500)
  }
  await using server = await startHttpServer(handler)
  await using opened = await openHttp({
    url: `${server.origin}/canary-in-the-path/mcp?key=canary-in-query&v=2`,
    headers: { authorization: 'Bearer canary-token', 'x-key': 'canary/"quoted"', 'x-v': '2' },
    authorizer: {
      headers: async () => ({ 'x-live': 'DPoP canary-live' }),
      challenged: () => Promise.reject(new Error('not asked')),
    },
  })
  const failure = await failureOf(opened.transport.call(toRequest()))
  expect(failure.rpc?.message).toBe('Cannot POST /***/mcp?key=***&v=2 with ***')
  expect(failure.bodyPreview).toContain('"x-v":"2"')
  expect(describeWhole(failure)).not.toContain('canary')
})

/** An error with all its causes, fields and stacks. */
function describeWhole(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? ''
  return `${error.stack}${JSON.stringify(error)}${describeWhole(error.cause)}`
}
