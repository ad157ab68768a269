import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createDifyProfile, type DifyProfile } from './dify-profile.ts'
import {
  answerPost,
  answerTo,
  type Exchange,
  openStream,
  resultOf,
  send,
  startServer,
  tool,
} from './test-server.ts'

const profileAt = (origin: string, path = '/mcp') => createDifyProfile({ url: `${origin}${path}` })

/** The same with a server that goes when it is done. */
async function withServer<T>(
  handle: (exchange: Exchange) => unknown,
  use: (profile: DifyProfile, origin: string) => Promise<T>,
): Promise<T> {
  await using server = await startServer(handle)
  return await use(profileAt(server.origin), server.origin)
}

function stateful(exchange: Exchange): void {
  if (exchange.route.startsWith('GET')) openStream(exchange.response)
  else if (exchange.route.startsWith('DELETE')) send(exchange.response, 200)
  else answerPost(exchange, { 'mcp-session-id': 's-1' })
}

describe('over Streamable HTTP', () => {
  test('sends what Dify sends, byte for byte and in its order', async () => {
    await withServer(stateful, async (profile) => {
      expect(await profile.listTools()).toEqual([tool])
      const sent = profile.requests.map(({ method, body }) => [method, body])
      expect(sent).toEqual([
        [
          'POST',
          '{"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Dify","version":"1.16.1"}},"jsonrpc":"2.0","id":0}',
        ],
        ['GET', ''],
        ['POST', '{"method":"notifications/initialized","jsonrpc":"2.0"}'],
        ['POST', '{"method":"tools/list","jsonrpc":"2.0","id":1}'],
        ['DELETE', ''],
      ])
    })
  })

  test('sends the headers of Dify, and none that it does not', async () => {
    await withServer(stateful, async (profile, origin) => {
      await profile.listTools()
      const [initialize, get] = profile.requests
      const host = new URL(origin).host
      expect(initialize?.headers).toEqual([
        ['Host', host],
        ['Accept', 'application/json, text/event-stream'],
        ['Accept-Encoding', 'gzip, deflate'],
        ['Connection', 'keep-alive'],
        ['User-Agent', 'python-httpx/0.28.1'],
        ['content-type', 'application/json'],
        ['Content-Length', String(initialize?.body.length)],
      ])
      expect(get?.headers).toEqual(
        expect.arrayContaining([
          ['Accept', 'text/event-stream'],
          ['Cache-Control', 'no-store'],
          ['mcp-session-id', 's-1'],
        ]),
      )
      const names = profile.requests.flatMap(({ headers }) => headers.map(([name]) => name))
      expect(names.map((name) => name.toLowerCase())).not.toContain('mcp-protocol-version')
      expect(names.map((name) => name.toLowerCase())).not.toContain('origin')
    })
  })

  test('makes a connection for each action, and needs no session', async () => {
    await withServer(answerPost, async (profile) => {
      await profile.listTools()
      await profile.callTool('greet', { name: 'Ada', gone: null, blank: ' ', n: 0, no: false })
      const bodies = profile.requests.map(({ body }) => JSON.parse(body).method)
      const each = ['initialize', 'notifications/initialized']
      expect(bodies).toEqual([...each, 'tools/list', ...each, 'tools/call'])
      expect(profile.requests.at(-1)?.body).toBe(
        '{"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada","n":0,"no":false}},"jsonrpc":"2.0","id":1}',
      )
    })
  })

  test('reads answers from a stream, with all else on it', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
    const handle = (exchange: Exchange) => {
      if (exchange.rpc.id === undefined) return answerPost(exchange)
      openStream(exchange.response)
      exchange.response.write(': hello\n\nid: 1\ndata:\n\nevent: other\ndata: x\n\n')
      exchange.response.write(`data: ${JSON.stringify(note)}\n\n`)
      exchange.response.end(`data: ${JSON.stringify(answerTo(exchange.rpc))}\r\n\r\n`)
    }
    await withServer(handle, async (profile) => {
      expect(await profile.callTool('greet')).toMatchObject({ content: [{ text: 'hi' }] })
    })
  })

  test('sees one page of tools, and never sends a cursor', async () => {
    const handle = ({ rpc, response }: Exchange) => {
      if (rpc.id === undefined) return send(response, 202)
      send(response, 200, answerTo(rpc, { 'tools/list': { nextCursor: 'more' } }))
    }
    await withServer(handle, async (profile) => {
      expect(await profile.listTools()).toHaveLength(1)
      expect(profile.requests).toHaveLength(3)
    })
  })

  test('passes over isError', async () => {
    const handle = ({ rpc, response }: Exchange) => {
      if (rpc.id === undefined) return send(response, 202)
      send(response, 200, answerTo(rpc, { 'tools/call': { isError: true } }))
    }
    await withServer(handle, async (profile) => {
      expect(await profile.callTool('greet')).toMatchObject({ isError: true })
    })
  })

  test('reads an answer that is packed', async () => {
    const handle = (exchange: Exchange) => {
      if (exchange.rpc.id === undefined) return answerPost(exchange)
      const type = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      exchange.response.writeHead(200, type).end(gzipSync(JSON.stringify(answerTo(exchange.rpc))))
    }
    await withServer(handle, async (profile) => {
      expect(await profile.listTools()).toEqual([tool])
    })
  })

  test('goes where it is sent', async () => {
    const handle = (exchange: Exchange) => {
      if (exchange.route === 'POST /mcp') answerPost(exchange)
      else send(exchange.response, 307, '', { location: '/mcp' })
    }
    await using server = await startServer(handle)
    expect(await profileAt(server.origin, '/old/mcp').listTools()).toHaveLength(1)
  })

  test('takes an authorization_required with 200 for success, and is refused later', async () => {
    const handle = ({ rpc, response }: Exchange) => {
      if (rpc.id === undefined) return send(response, 202)
      const error = { code: -32602, message: 'Authentication required' }
      const status = 'authorization_required'
      if (rpc.method !== 'initialize') send(response, 200, { jsonrpc: '2.0', id: rpc.id, error })
      else send(response, 200, answerTo(rpc, { initialize: { status } }))
    }
    await withServer(handle, async (profile) => {
      await expect(profile.listTools()).rejects.toMatchObject({
        data: { kind: 'connection', code: -32602 },
      })
    })
  })
})

describe.concurrent('over Streamable HTTP it catches', () => {
  type Spoil = (exchange: Exchange) => unknown
  const result = (changes: object) => (exchange: Exchange) =>
    send(exchange.response, 200, {
      ...answerTo(exchange.rpc),
      result: { ...resultOf(exchange.rpc.method), ...changes },
    })
  const message = (fields: object) => (exchange: Exchange) =>
    send(exchange.response, 200, { jsonrpc: '2.0', id: exchange.rpc.id, ...fields })
  const ask = { jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params: {} }

  test.each<[string, string, Spoil, string, RegExp]>([
    [
      'a newer version',
      'initialize',
      result({ protocolVersion: '2025-11-25' }),
      'invalid',
      /Unsupported protocol version/,
    ],
    [
      'no version',
      'initialize',
      result({ protocolVersion: undefined }),
      'invalid',
      /protocolVersion/,
    ],
    [
      'no name',
      'initialize',
      result({ serverInfo: { version: '1' } }),
      'invalid',
      /serverInfo.name/,
    ],
    [
      'a json part',
      'tools/call',
      result({ content: [{ type: 'json', json: {} }] }),
      'invalid',
      /content.0/,
    ],
    [
      'a list as structured content',
      'tools/call',
      result({ structuredContent: [] }),
      'invalid',
      /structuredContent/,
    ],
    [
      'text/plain',
      'tools/call',
      ({ response }) => send(response, 200, '{}'),
      'connection',
      /content type: text\/plain/,
    ],
    ['403', 'tools/call', ({ response }) => send(response, 403, {}), 'connection', /code=403/],
    ['429', 'tools/call', ({ response }) => send(response, 429, {}), 'connection', /code=429/],
    [
      '404',
      'tools/call',
      ({ response }) => send(response, 404, {}),
      'connection',
      /Session terminated/,
    ],
    [
      'an error',
      'tools/call',
      message({ error: { code: -32001, message: 'no' } }),
      'connection',
      /code=-32001 message=no/,
    ],
    ['another id', 'tools/call', message({ id: 9, result: {} }), 'invalid', /id 9/],
    [
      'an error without id',
      'tools/call',
      message({ id: null, error: { code: 1, message: '' } }),
      'invalid',
      /no JSON-RPC message/,
    ],
    [
      'a batch',
      'tools/call',
      ({ rpc, response }) => send(response, 200, [answerTo(rpc)]),
      'invalid',
      /no JSON-RPC message/,
    ],
    [
      'a question',
      'tools/call',
      ({ response }) => send(response, 200, ask),
      'invalid',
      /elicitation/,
    ],
    ['a cut', 'tools/call', ({ response }) => void response.destroy(), 'unreachable', /cut/],
    [
      '202 for a request',
      'tools/call',
      ({ response }) => send(response, 202),
      'hangs',
      /answered 202/,
    ],
    ['no answer', 'tools/call', () => {}, 'hangs', /Dify hangs/],
    [
      'a stream without an answer',
      'tools/call',
      ({ response }) => {
        openStream(response)
        response.end()
      },
      'hangs',
      /ended without an answer/,
    ],
    [
      'an error of a notification',
      'notifications/initialized',
      ({ response }) => send(response, 500, {}),
      'connection',
      /code=500/,
    ],
  ])('%s', async (_, method, spoil, kind, text) => {
    const handle = (exchange: Exchange) =>
      exchange.rpc.method === method ? spoil(exchange) : answerPost(exchange)
    await using server = await startServer(handle)
    const timeouts = kind === 'hangs' ? { hangMs: 1500 } : {}
    const profile = createDifyProfile({ url: `${server.origin}/mcp`, timeouts })
    const error = await profile.callTool('greet').catch((caught) => caught)
    expect(error).toMatchObject({ data: { kind }, message: expect.stringMatching(text) })
  })

  test('a server that is not there', async () => {
    const profile = profileAt('http://127.0.0.1:1')
    await expect(profile.listTools()).rejects.toMatchObject({ data: { kind: 'unreachable' } })
  })
})
