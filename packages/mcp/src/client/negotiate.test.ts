import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { McpError } from '../errors.ts'
import type { Transport, TransportKind } from '../transports/transport.ts'
import { createMcpClient } from './client.ts'
import type { McpClientOptions } from './contract.ts'
import {
  createTestServer,
  fault,
  type Method,
  modernMethods,
  never,
  serverInfo,
} from './test-server.ts'

function prepare(
  kind: TransportKind,
  methods: Record<string, Method>,
  options: Partial<McpClientOptions> = {},
) {
  const server = createTestServer({ kind, methods })
  const agreed: unknown[] = []
  const negotiated: Transport['negotiated'] = (it) => agreed.push(it)
  const transport = { ...server.transport, negotiated }
  const clock = createFakeClock()
  const client = createMcpClient({ transport, clock, timeoutMs: 10_000, ...options })
  return { server, client, clock, agreed }
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )
const legacy = { era: 'legacy', version: '2025-11-25' }
const modern = { era: 'modern', version: '2026-07-28' }
const hello: Method = () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo })
const later = (
  clock: { after(ms: number, run: () => void): unknown },
  ms: number,
  then: Method,
) => {
  const method: Method = async (params, context) => {
    await new Promise<void>((resolve) => clock.after(ms, resolve))
    return await then(params, context)
  }
  return method
}

test.each(['http', 'stdio', 'in-process'] as const)(
  'over %s a modern server is known by its answer, before anything else is sent',
  async (kind) => {
    const capabilities = { tools: { listChanged: true } }
    const { client, server, agreed } = prepare(kind, modernMethods(capabilities))
    expect(await client.connect()).toEqual({ ...modern, serverInfo, capabilities })
    expect(agreed).toEqual([modern])
    expect(server.received).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': expect.objectContaining({
              name: '@dataagent/mcp',
            }),
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    ])
  },
)

test.each(['http', 'stdio'] as const)(
  'over %s a server that does not know the question is greeted on the same connection',
  async (kind) => {
    const { client, server, agreed } = prepare(kind, {})
    expect(await client.connect()).toMatchObject(legacy)
    expect(agreed).toEqual([legacy])
    const methods = ['server/discover', 'initialize', 'notifications/initialized']
    expect(server.methods()).toEqual(methods)
    expect(server.received[1]).not.toHaveProperty('params._meta')
  },
)

test('over HTTP+SSE nothing but the handshake is tried', async () => {
  const { client, server } = prepare('sse', {})
  expect(await client.connect()).toMatchObject(legacy)
  expect(server.methods()).toEqual(['initialize', 'notifications/initialized'])
})

test('a given era is the only one that is tried', async () => {
  const { client, server } = prepare('stdio', {})
  const message = 'mcp: the server does not speak protocol version 2026-07-28'
  expect(await failure(client.connect({ era: 'modern' }))).toMatchObject({ message })
  expect(server.methods()).toEqual(['server/discover'])
  const other = prepare('stdio', modernMethods())
  expect(await failure(other.client.connect({ era: 'legacy' }))).toMatchObject({
    rpc: { code: -32022 },
  })
  expect(other.server.methods()).toEqual(['initialize'])
})

test('a server that wants to be asked in a version that both know is asked once more', async () => {
  const refusal = fault(-32022, 'no', { supported: ['2026-07-28'], requested: '2026-07-28' })
  const answers: Method[] = [
    () => {
      throw refusal
    },
    modernMethods()['server/discover'] ?? never,
  ]
  const discover: Method = (params, context) => answers.shift()?.(params, context)
  const { client } = prepare('http', { 'server/discover': discover })
  expect(await client.connect()).toMatchObject(modern)
  const stubborn: Method = () => {
    throw refusal
  }
  const other = prepare('http', { 'server/discover': stubborn })
  expect(await failure(other.client.connect())).toMatchObject({ rpc: { code: -32022 } })
  expect(other.server.methods()).toEqual(['server/discover', 'server/discover'])
})

test('a refusal for want of a credential is told, not taken for an answer', async () => {
  const unauthorized = new McpError({
    kind: 'http',
    code: 'upstream_failed',
    message: 'mcp: http 401: ',
    statusCode: 401,
  })
  const discover: Method = () => {
    throw unauthorized
  }
  const { client, server } = prepare('http', { 'server/discover': discover })
  expect(await failure(client.connect())).toBe(unauthorized)
  expect(server.methods()).toEqual(['server/discover'])
})

const httpError = (statusCode: number) =>
  new McpError({
    kind: 'http',
    code: 'upstream_failed',
    message: `mcp: http ${statusCode}: `,
    statusCode,
  })
const cut = new McpError({
  kind: 'network',
  code: 'upstream_failed',
  message: 'mcp: the stream ended before "server/discover" was answered',
  mayHaveRun: true,
})
const throws = (error: unknown): Method => {
  return () => {
    throw error
  }
}

test.each([
  ['HTTP 500', httpError(500)],
  ['HTTP 501', httpError(501)],
  ['a cut', cut],
])('a server that fails at the question with %s is greeted', async (_, error) => {
  const { client, server, agreed } = prepare('http', { 'server/discover': throws(error) })
  expect(await client.connect()).toMatchObject(legacy)
  expect(agreed).toEqual([legacy])
  const methods = ['server/discover', 'initialize', 'notifications/initialized']
  expect(server.methods()).toEqual(methods)
})

test.each([
  ['a failure', httpError(502)],
  ['a refusal', fault(-32022, 'no', { supported: ['2026-07-28'] })],
])('a server in trouble that answers the greeting with %s fails as it did first', async (_, it) => {
  const first = httpError(503)
  const methods = { 'server/discover': throws(first), initialize: throws(it) }
  const { client, agreed } = prepare('http', methods)
  expect(await failure(client.connect())).toBe(first)
  expect(agreed).toEqual([])
})

test('a need to sign in that shows at the greeting is told', async () => {
  const signIn = httpError(401)
  const methods = { 'server/discover': throws(httpError(500)), initialize: throws(signIn) }
  expect(await failure(prepare('http', methods).client.connect())).toBe(signIn)
  const silent = prepare('http', { 'server/discover': never, initialize: throws(signIn) })
  const opening = failure(silent.client.connect())
  await silent.clock.advanceAsync(3_000)
  expect(await opening).toBe(signIn)
})

test.each([302, 403, 429])('HTTP %d is not a reason to greet', async (status) => {
  const { client, server } = prepare('http', { 'server/discover': throws(httpError(status)) })
  expect(await failure(client.connect())).toMatchObject({ statusCode: status })
  expect(server.methods()).toEqual(['server/discover'])
})

test('a server that fails is not greeted where the modern era was asked for', async () => {
  const { client, server } = prepare('http', { 'server/discover': throws(httpError(500)) })
  expect(await failure(client.connect({ era: 'modern' }))).toMatchObject({ statusCode: 500 })
  expect(server.methods()).toEqual(['server/discover'])
})

test('over HTTP a server that ignores the question is greeted after three seconds', async () => {
  const { client, server, clock } = prepare('http', { 'server/discover': never })
  const opening = client.connect()
  await clock.advanceAsync(2_999)
  expect(server.methods()).toEqual(['server/discover'])
  await clock.advanceAsync(1)
  expect(await opening).toMatchObject(legacy)
  await client.close()
  expect(clock.pending()).toBe(0)
})

test('over HTTP half of a short timeout is left for the greeting', async () => {
  const { client, clock } = prepare('http', { 'server/discover': never }, { timeoutMs: 3_000 })
  const opening = client.connect()
  await clock.advanceAsync(1_500)
  expect(await opening).toMatchObject(legacy)
})

test('over HTTP silence on both is a timeout', async () => {
  const { client, clock } = prepare('http', { 'server/discover': never, initialize: never })
  const opening = failure(client.connect())
  await clock.advanceAsync(10_000)
  expect(await opening).toMatchObject({ kind: 'timeout' })
  expect(clock.pending()).toBe(0)
})

test.each([
  ['refuses the greeting', throws(fault(-32022, 'no', { supported: ['2026-07-28'] }))],
  ['ignores the greeting', never],
  ['would take the greeting later', hello],
])('over HTTP a slow modern server that %s stays modern', async (_, greeted) => {
  const clock = createFakeClock()
  const discover = modernMethods()['server/discover'] ?? never
  const initialize = greeted === hello ? later(clock, 6_000, hello) : greeted
  const methods = { 'server/discover': later(clock, 8_000, discover), initialize }
  const { client, agreed } = prepare('http', methods, { clock })
  const opening = client.connect()
  await clock.advanceAsync(8_000)
  expect(await opening).toMatchObject(modern)
  expect(agreed).toEqual([modern])
})

test('over HTTP a slow refusal of the question is one, whatever else is asked', async () => {
  const clock = createFakeClock()
  const methods = {
    'server/discover': later(clock, 4_000, throws(httpError(403))),
    initialize: later(clock, 5_000, hello),
  }
  const { client } = prepare('http', methods, { clock })
  const opening = failure(client.connect())
  await clock.advanceAsync(4_000)
  expect(await opening).toMatchObject({ statusCode: 403 })
})

test('over HTTP a slow failure at the question waits for the greeting', async () => {
  const clock = createFakeClock()
  const methods = {
    'server/discover': later(clock, 4_000, throws(httpError(500))),
    initialize: later(clock, 5_000, hello),
  }
  const { client, server } = prepare('http', methods, { clock })
  const opening = client.connect()
  await clock.advanceAsync(8_000)
  expect(await opening).toMatchObject(legacy)
  expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(1)
})

test('a server that ignores the question is greeted after two seconds', async () => {
  const { client, server, clock } = prepare('stdio', { 'server/discover': never })
  const opening = client.connect()
  await clock.advanceAsync(1_999)
  expect(server.methods()).toEqual(['server/discover'])
  await clock.advanceAsync(1)
  expect(await opening).toMatchObject(legacy)
  const methods = ['server/discover', 'initialize', 'notifications/initialized']
  expect(server.methods()).toEqual(methods)
  expect(clock.pending()).toBe(1)
  await client.close()
  expect(clock.pending()).toBe(0)
})

test('a modern server that starts slowly stays modern', async () => {
  const clock = createFakeClock()
  const methods = modernMethods()
  const { client, server } = prepare(
    'stdio',
    {
      'server/discover': later(clock, 7_000, methods['server/discover'] ?? never),
      initialize: later(clock, 7_000, methods.initialize ?? never),
    },
    { clock },
  )
  const opening = client.connect()
  await clock.advanceAsync(9_000)
  expect(await opening).toMatchObject(modern)
  expect(server.methods()).toEqual(['server/discover', 'initialize'])
})

test('a modern server that never answers initialize is not waited for', async () => {
  const clock = createFakeClock()
  const discover = modernMethods()['server/discover'] ?? never
  const methods = { 'server/discover': later(clock, 3_000, discover), initialize: never }
  const { client } = prepare('stdio', methods, { clock })
  const opening = client.connect()
  await clock.advanceAsync(5_000)
  expect(await opening).toMatchObject(modern)
})

test('an opening that was given up while it waited for a second answer stays given up', async () => {
  const clock = createFakeClock()
  const discover = modernMethods()['server/discover'] ?? never
  const methods = { 'server/discover': later(clock, 3_000, discover), initialize: never }
  const { client } = prepare('stdio', methods, { clock })
  const stop = new AbortController()
  const opening = failure(client.connect({ signal: stop.signal }))
  await clock.advanceAsync(4_000)
  stop.abort()
  expect(await opening).toMatchObject({ kind: 'cancelled' })
  expect(client.server).toBeUndefined()
})

test('a server may say who it is beside its answer, or not at all', async () => {
  const versions = { supportedVersions: ['2026-07-28'] }
  const beside = prepare('http', { 'server/discover': () => ({ ...versions, serverInfo }) })
  expect(await beside.client.connect()).toMatchObject({ serverInfo, capabilities: {} })
  const silent = prepare('http', { 'server/discover': () => versions })
  const unknown = { name: 'unknown', version: 'unknown' }
  expect(await silent.client.connect()).toMatchObject({ serverInfo: unknown })
})

test('a slow server of both eras has settled on the handshake, and is spoken to that way', async () => {
  const clock = createFakeClock()
  const discover = modernMethods()['server/discover'] ?? never
  const methods = {
    'server/discover': later(clock, 3_000, discover),
    initialize: later(clock, 1_000, hello),
  }
  const { client, agreed } = prepare('stdio', methods, { clock })
  const opening = client.connect()
  await clock.advanceAsync(3_000)
  expect(await opening).toMatchObject(legacy)
  expect(agreed).toEqual([legacy])
})

test('a slow server that refuses the question is greeted once', async () => {
  const clock = createFakeClock()
  const unknown: Method = () => {
    throw fault(-32601, 'Method not found')
  }
  const methods = {
    'server/discover': later(clock, 5_000, unknown),
    initialize: later(clock, 5_000, hello),
  }
  const { client, server } = prepare('stdio', methods, { clock })
  const opening = client.connect()
  await clock.advanceAsync(7_000)
  expect(await opening).toMatchObject(legacy)
  expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(1)
})

test('a server that refuses the greeting and ignores the question fails with its refusal', async () => {
  const refuse: Method = () => {
    throw fault(-32000, 'go away')
  }
  const { client, clock } = prepare('stdio', { 'server/discover': never, initialize: refuse })
  const opening = failure(client.connect())
  await clock.advanceAsync(4_000)
  expect(await opening).toMatchObject({ rpc: { code: -32000, message: 'go away' } })
  expect(clock.pending()).toBe(0)
})

test.each(['stdio', 'http'] as const)('an opening over %s ends with its signal', async (kind) => {
  const { client, clock } = prepare(kind, { 'server/discover': never, initialize: never })
  const stop = new AbortController()
  const opening = failure(client.connect({ signal: stop.signal }))
  await clock.advanceAsync(3_000)
  stop.abort(new Error('enough'))
  expect(await opening).toMatchObject({ kind: 'cancelled', cause: { message: 'enough' } })
  expect(clock.pending()).toBe(0)
})

test('a server that says nothing at all is given up in time', async () => {
  const { client, clock } = prepare('stdio', { 'server/discover': never, initialize: never })
  const opening = failure(client.connect())
  await clock.advanceAsync(10_000)
  expect(await opening).toMatchObject({
    kind: 'timeout',
    message: 'mcp: the server did not answer within 10000 ms',
  })
  expect(clock.pending()).toBe(0)
})
