import { describe, expect, test } from 'vitest'
import { createDifyProfile, type DifyTimeouts } from './dify-profile.ts'
import {
  answerPost,
  answerTo,
  createSseSide,
  type Exchange,
  openStream,
  send,
  startServer,
  tool,
} from './test-server.ts'

/** Long where nothing should be late. */
const patient = { endpointMs: 10_000 }
const hang = { hangMs: 1500 }

type Side = ReturnType<typeof createSseSide>
type Spoil = (side: Side, exchange: Exchange) => unknown

/** A good HTTP+SSE server, but for what `spoil` does with messages of `methods`. */
function createHandler({ endpoint, spoil, methods = ['tools/list'] }: Handling) {
  const side = createSseSide(endpoint === undefined ? {} : { endpoint })
  return (exchange: Exchange) => {
    const { route, rpc, response } = exchange
    if (route.startsWith('GET')) return side.open(response)
    if (spoil && methods.includes(rpc.method)) return spoil(side, exchange)
    send(response, 202)
    if (rpc.id !== undefined) side.say(answerTo(rpc))
  }
}

interface Handling {
  endpoint?: string
  spoil?: Spoil
  /** A reply has none. */
  methods?: (string | undefined)[]
}

/** A profile of a server that goes with it. */
async function openProfile({ handle, path = '/v1/sse', timeouts = patient }: Setting) {
  const server = await startServer(handle)
  const headers = { Authorization: 'Bearer key' }
  const profile = createDifyProfile({ url: `${server.origin}${path}`, headers, timeouts })
  return { ...server, profile }
}

interface Setting {
  handle: (exchange: Exchange) => unknown
  path?: string
  timeouts?: DifyTimeouts
}

describe('over HTTP+SSE', () => {
  test('sends what Dify sends: a GET, then messages to the endpoint, and just goes', async () => {
    await using opened = await openProfile({ handle: createHandler({}) })
    const { profile, origin } = opened
    expect(await profile.listTools()).toEqual([tool])
    expect(profile.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${origin}/v1/sse`,
      ...Array(3).fill(`POST ${origin}/messages`),
    ])
    expect(profile.requests.map(({ body }) => body)).toEqual([
      '',
      expect.stringMatching(/^\{"method":"initialize",.*"jsonrpc":"2.0","id":0\}$/),
      '{"method":"notifications/initialized","jsonrpc":"2.0"}',
      '{"method":"tools/list","jsonrpc":"2.0","id":1}',
    ])
  })

  test('sends the headers of Dify, with its credential on every request', async () => {
    await using opened = await openProfile({ handle: createHandler({}) })
    const { profile } = opened
    await profile.listTools()
    const [get, post] = profile.requests.map(({ headers }) => Object.fromEntries(headers))
    const Authorization = 'Bearer key'
    const Accept = 'text/event-stream'
    expect(get).toMatchObject({ Accept, 'Cache-Control': 'no-store', Authorization })
    expect(post).toMatchObject({
      Accept: '*/*',
      'Content-Type': 'application/json',
      Authorization,
    })
  })

  test('takes an absolute endpoint of the same origin', async () => {
    const handlers: ((exchange: Exchange) => unknown)[] = []
    await using opened = await openProfile({ handle: (exchange) => handlers[0]?.(exchange) })
    handlers.push(createHandler({ endpoint: `${opened.origin}/messages?s=1` }))
    expect(await opened.profile.listTools()).toHaveLength(1)
  })

  test('passes over comments and events that it does not know', async () => {
    const spoil: Spoil = (side, { rpc, response }) => {
      send(response, 202)
      side.write(': ping\n\nevent: ping\ndata: {}\n\n')
      side.say(answerTo(rpc))
    }
    await using opened = await openProfile({ handle: createHandler({ spoil }) })
    expect(await opened.profile.listTools()).toHaveLength(1)
  })

  test('answers a ping of the server', async () => {
    const list = { id: 1, method: 'tools/list' }
    const spoil: Spoil = (side, { rpc, response }) => {
      send(response, 202)
      if (rpc.method === list.method) side.say({ jsonrpc: '2.0', id: 'p1', method: 'ping' })
      else side.say(answerTo(list))
    }
    const handle = createHandler({ spoil, methods: [list.method, undefined] })
    await using opened = await openProfile({ handle })
    expect(await opened.profile.listTools()).toHaveLength(1)
    const reply = '{"jsonrpc":"2.0","id":"p1","result":{}}'
    expect(opened.profile.requests.at(-1)?.body).toBe(reply)
  })
})

describe.concurrent('over HTTP+SSE it catches', () => {
  test.each<[string, Spoil, string, RegExp]>([
    ...([401, 429, 500].map((status) => [
      `${status} for a POST`,
      (_: Side, { response }: Exchange) => send(response, status, {}),
      'hangs',
      new RegExp(`answered ${status}`),
    ]) as [string, Spoil, string, RegExp][]),
    [
      'an answer in the POST',
      (_, { rpc, response }) => send(response, 200, answerTo(rpc)),
      'hangs',
      /Dify hangs/,
    ],
    [
      'the end of the stream',
      (side, { response }) => {
        send(response, 202)
        side.end()
      },
      'hangs',
      /has ended/,
    ],
    ['a POST that is not answered', () => {}, 'hangs', /Dify hangs/],
    [
      'an empty message',
      (side, { response }) => {
        send(response, 202)
        side.write('event: message\ndata:\n\n')
      },
      'invalid',
      /no JSON-RPC/,
    ],
    [
      'a comment after an id',
      (side, { response }) => {
        send(response, 202)
        side.write('event: x\nid: 7\n\n: ping\n\n')
      },
      'invalid',
      /no JSON-RPC/,
    ],
    [
      'an error',
      (side, { rpc, response }) => {
        send(response, 202)
        side.say({ jsonrpc: '2.0', id: rpc.id, error: { code: -32000, message: 'slow down' } })
      },
      'connection',
      /slow down/,
    ],
  ])('%s', async (_, spoil, kind, text) => {
    const timeouts = kind === 'hangs' ? { ...patient, ...hang } : patient
    await using opened = await openProfile({ handle: createHandler({ spoil }), timeouts })
    const error = await opened.profile.listTools().catch((caught) => caught)
    expect(error).toMatchObject({ data: { kind }, message: expect.stringMatching(text) })
  })

  test('a POST that never ends: nothing is sent after it', async () => {
    const spoil: Spoil = (side, { rpc }) => side.say(answerTo(rpc))
    const handle = createHandler({ spoil, methods: ['initialize'] })
    await using opened = await openProfile({ handle, timeouts: { ...patient, ...hang } })
    await expect(opened.profile.listTools()).rejects.toMatchObject({ data: { kind: 'hangs' } })
    expect(opened.profile.requests).toHaveLength(2)
  })

  test.each<[string, (exchange: Exchange) => unknown, string, RegExp]>([
    [
      'an endpoint elsewhere',
      createHandler({ endpoint: 'http://localhost:1/messages' }),
      'endpoint',
      /does not match/,
    ],
    [
      'no endpoint in time',
      ({ response }) => openStream(response),
      'endpoint',
      /failed to get endpoint URL/,
    ],
    [
      'JSON in place of a stream',
      ({ response }) => send(response, 200, {}),
      'endpoint',
      /failed to get endpoint URL/,
    ],
    ['a GET that is not answered', () => {}, 'hangs', /GET of the SSE stream/],
    ['404', ({ response }) => send(response, 404), 'connection', /code=404/],
    ['401', ({ response }) => send(response, 401), 'authentication', /code=401/],
  ])('%s', async (_, handle, kind, text) => {
    await using opened = await openProfile({ handle, timeouts: { endpointMs: 300, ...hang } })
    const error = await opened.profile.listTools().catch((caught) => caught)
    expect(error).toMatchObject({ data: { kind }, message: expect.stringMatching(text) })
  })
})

describe.concurrent('at a URL that says neither', () => {
  const path = '/api/v1/mcp/jsonrpc'

  /** Answers messages in the POST, and a GET as it is told. */
  const withGet = (get: (exchange: Exchange) => unknown) => (exchange: Exchange) =>
    exchange.route.startsWith('GET') ? get(exchange) : answerPost(exchange)

  test.each([401, 404, 405])('a GET that is answered %i is followed by POSTs', async (status) => {
    const handle = withGet(({ response }) => send(response, status))
    await using opened = await openProfile({ handle, path })
    expect(await opened.profile.listTools()).toHaveLength(1)
    const methods = opened.profile.requests.map(({ method }) => method)
    expect(methods).toEqual(['GET', 'POST', 'POST', 'POST'])
  })

  test('a stream without an endpoint is followed by POSTs', async () => {
    const handle = withGet(({ response }) => openStream(response))
    await using opened = await openProfile({ handle, path, timeouts: { endpointMs: 300 } })
    expect(await opened.profile.listTools()).toHaveLength(1)
  })

  test('a stream with an endpoint is used', async () => {
    await using opened = await openProfile({ handle: createHandler({}), path })
    expect(await opened.profile.listTools()).toHaveLength(1)
    expect(opened.profile.requests.at(-1)?.url).toMatch(/\/messages$/)
  })

  test('a GET that is not answered is the end', async () => {
    const handle = withGet(() => {})
    await using opened = await openProfile({ handle, path, timeouts: hang })
    await expect(opened.profile.listTools()).rejects.toMatchObject({ data: { kind: 'hangs' } })
    expect(opened.profile.requests).toHaveLength(1)
  })
})
