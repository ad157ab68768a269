import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { asLegacyServer, sendJson, startHttpServer, toResult } from './test-http-server.ts'
import { failureOf, modernMeta, openHttp, toRequest } from './test-http-transport.ts'

/** A server that answers everything, and the last POST it got. */
async function startEcho() {
  const server = await startHttpServer((request) => {
    if (request.method === 'POST') sendJson(request.response, toResult(request))
    else request.response.writeHead(405).end()
  })
  return { ...server, last: () => server.of('POST').at(-1)?.headers ?? {} }
}

describe('in the legacy era', () => {
  test('session and version go with everything after the handshake', async () => {
    await using server = await startHttpServer(
      asLegacyServer((request) => sendJson(request.response, toResult(request))),
    )
    const opened = await openHttp({ url: server.url }, 'legacy')
    await opened.transport.call(toRequest())
    await opened.transport.send({ jsonrpc: '2.0', id: 'q', result: {} })
    await waitFor(() => server.of('GET').length === 1)
    await opened.transport.close()
    const [initialize, ...rest] = server.seen
    expect(initialize?.headers['mcp-session-id']).toBeUndefined()
    expect(initialize?.headers['mcp-protocol-version']).toBeUndefined()
    expect(rest.map(({ method }) => method).sort()).toEqual([
      'DELETE',
      'GET',
      'POST',
      'POST',
      'POST',
    ])
    for (const { headers } of rest) {
      expect(headers).toMatchObject({
        'mcp-session-id': 'session-1',
        'mcp-protocol-version': '2025-11-25',
      })
      expect(headers['mcp-method']).toBeUndefined()
    }
  })

  test('without a session there is none to send or to end', async () => {
    await using server = await startEcho()
    const opened = await openHttp({ url: server.url }, 'legacy')
    await opened.transport.call(toRequest())
    await opened.transport.close()
    expect(server.last()['mcp-session-id']).toBeUndefined()
    expect(server.of('DELETE')).toEqual([])
  })

  test.for(['has space', 'ümlaut', 'x'.repeat(5_000)])(
    'a session id that cannot be one fails the handshake (%#)',
    async (session) => {
      await using server = await startHttpServer(asLegacyServer(() => {}, { session }))
      await using opened = await openHttp({ url: server.url })
      const failure = await failureOf(opened.transport.call(toRequest('initialize')))
      expect(failure).toMatchObject({ kind: 'protocol' })
      expect(failure.message).not.toContain(session)
    },
  )

  test('only the answer to `initialize` gives a session', async () => {
    await using server = await startHttpServer((request) => {
      request.response.setHeader('mcp-session-id', 'late')
      sendJson(request.response, toResult(request))
    })
    await using opened = await openHttp({ url: server.url })
    await opened.transport.call(toRequest('server/discover', modernMeta))
    await opened.transport.call(toRequest())
    expect(server.seen.at(-1)?.headers['mcp-session-id']).toBeUndefined()
  })
})

describe('in the modern era', () => {
  test('the probe says by itself what it is', async () => {
    await using server = await startEcho()
    await using opened = await openHttp({ url: server.url })
    await opened.transport.call(toRequest('server/discover', modernMeta))
    expect(server.last()).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
    })
  })

  test.for([
    ['tools/call', { name: 'get_weather' }, 'get_weather'],
    ['prompts/get', { name: 'Größe' }, '=?base64?R3LDtsOfZQ==?='],
    ['resources/read', { uri: 'file:///a', name: 'other' }, 'file:///a'],
    ['tools/call', { name: 'x\r\nevil: 1' }, '=?base64?eA0KZXZpbDogMQ==?='],
    ['tools/list', { name: 'unrelated' }, undefined],
    ['completion/complete', { name: 'unrelated' }, undefined],
  ] as const)('%s %j repeats its method and name', async ([method, params, name]) => {
    await using server = await startEcho()
    await using opened = await openHttp({ url: server.url }, 'modern')
    await opened.transport.call(toRequest(method, { ...params, ...modernMeta }))
    expect(server.last()).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    })
    expect(server.last()['mcp-name']).toBe(name)
    expect(server.last().evil).toBeUndefined()
  })

  test('the version is that of the request', async () => {
    await using server = await startEcho()
    await using opened = await openHttp({ url: server.url }, 'modern')
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }
    await opened.transport.call(toRequest('tools/list', { _meta }))
    expect(server.last()['mcp-protocol-version']).toBe('2027-01-01')
    await opened.transport.call(toRequest('tools/list'))
    expect(server.last()['mcp-protocol-version']).toBe('2026-07-28')
  })

  test('headers of the call go along, but not in place of the protocol’s', async () => {
    await using server = await startEcho()
    await using opened = await openHttp({ url: server.url }, 'modern')
    const headers = { 'Mcp-Param-Region': 'eu', 'Mcp-Name': 'x', Accept: 'x', 'mcp-method': 'x' }
    const request = toRequest('tools/call', { name: 'echo', ...modernMeta })
    await opened.transport.call(request, { headers })
    expect(server.last()).toMatchObject({
      'mcp-param-region': 'eu',
      'mcp-name': 'echo',
      'mcp-method': 'tools/call',
      accept: 'application/json, text/event-stream',
    })
  })

  test('no stream is opened, no session ended', async () => {
    await using server = await startEcho()
    const opened = await openHttp({ url: server.url }, 'modern')
    await opened.transport.call(toRequest('tools/list', modernMeta))
    await opened.transport.close()
    expect(server.seen.map(({ method }) => method)).toEqual(['POST'])
  })
})

test('a proxy is asked for the address, and the headers go through it', async () => {
  await using proxy = await startEcho()
  const headers = { 'x-mine': 'yes' }
  await using opened = await openHttp({
    url: 'http://far.example/mcp',
    proxy: proxy.origin,
    headers,
  })
  expect(await opened.transport.call(toRequest())).toMatchObject({ result: {} })
  expect(proxy.seen[0]?.path).toBe('http://far.example/mcp')
  expect(proxy.last()['x-mine']).toBe('yes')
})

test('configured headers never stand for one of the protocol', async () => {
  const headers = {
    accept: 'text/html',
    'Content-Type': 'text/plain',
    'Mcp-Session-Id': 'mine',
    'MCP-Protocol-Version': '1999-01-01',
    'x-mine': 'yes',
  }
  await using server = await startHttpServer(
    asLegacyServer((request) => sendJson(request.response, toResult(request))),
  )
  await using opened = await openHttp({ url: server.url, headers }, 'legacy')
  await opened.transport.call(toRequest())
  expect(server.of('POST').at(-1)?.headers).toMatchObject({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-session-id': 'session-1',
    'mcp-protocol-version': '2025-11-25',
    'x-mine': 'yes',
  })
})

test.for([{ 'bad name': 'canary' }, { name: 'canary\r\nx: y' }, { host: 'canary' }])(
  'a header that cannot be sent stops the start and is named, its value is not (%#)',
  async (headers) => {
    await using server = await startEcho()
    const failure = await failureOf(openHttp({ url: server.url, headers: headers as never }))
    expect(failure).toMatchObject({ kind: 'config', retryable: false })
    expect(failure.message).not.toContain('canary')
    expect(server.connections()).toBe(0)
  },
)
