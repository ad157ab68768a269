import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { McpError } from '../errors.ts'
import type { HandlerContext } from '../transports/in-process.ts'
import type { TransportKind } from '../transports/transport.ts'
import { createMcpClient } from './client.ts'
import type { ServerNotice } from './contract.ts'
import { createTestServer, fault, type Method, modernMethods, serverInfo } from './test-server.ts'

const listChanges = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
}

/** One stream as the server sees it. */
interface Stream {
  id: unknown
  filter: Record<string, unknown>
  isOpen: boolean
  tell(method: string, params?: object, subscriptionId?: unknown): void
  /** Answers the request, or lets it fail. */
  end(error?: unknown): void
}

interface Scene {
  kind?: TransportKind
  capabilities?: Record<string, unknown>
  /** What is agreed to; `undefined` for silence. Default: everything that is asked for. */
  agree?(filter: Record<string, unknown>): unknown
  hears?: boolean
}

async function connect(scene: Scene = {}) {
  const { kind = 'stdio', capabilities = listChanges, agree = (it) => it, hears = true } = scene
  const streams: Stream[] = []
  const listen: Method = ({ notifications }, context) => {
    const stream = createStream(context, notifications as Record<string, unknown>)
    streams.push(stream)
    const agreed = agree(stream.filter)
    if (agreed !== undefined) {
      stream.tell('notifications/subscriptions/acknowledged', { notifications: agreed })
    }
    return stream.ended
  }
  const methods = { ...modernMethods(capabilities), 'subscriptions/listen': listen }
  const server = createTestServer({ kind, methods })
  const clock = createFakeClock()
  const notices: ServerNotice[] = []
  const warnings: string[] = []
  const onNotice = (notice: ServerNotice) => notices.push(notice)
  const client = createMcpClient({
    ...{ transport: server.transport, clock, timeoutMs: 5_000 },
    ...(hears && { onNotice }),
    onWarning: (text) => warnings.push(text),
  })
  await client.connect()
  await clock.advanceAsync(0)
  return { client, server, clock, streams, notices, warnings }
}

function createStream(
  { send, signal, request }: HandlerContext & { request: { id: unknown } },
  filter: Record<string, unknown>,
): Stream & { ended: Promise<unknown> } {
  const { promise: ended, resolve, reject } = Promise.withResolvers<unknown>()
  ended.catch(() => undefined)
  const stream = {
    id: request.id,
    filter,
    isOpen: true,
    ended,
    tell(method: string, params: object = {}, subscriptionId: unknown = request.id) {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': subscriptionId }
      send({ jsonrpc: '2.0', method, params: { ...params, _meta } })
    },
    end(error?: unknown) {
      stream.isOpen = false
      if (error === undefined) resolve({ resultType: 'complete' })
      else reject(error)
    },
  }
  signal?.addEventListener('abort', () => stream.end(new Error('gone')), { once: true })
  return stream
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a client that wants to know asks for what the server offers, and hears of it', async () => {
  const { streams, notices } = await connect({ capabilities: { tools: { listChanged: true } } })
  expect(streams.map(({ filter }) => filter)).toEqual([{ toolsListChanged: true }])
  streams[0]?.tell('notifications/tools/list_changed')
  expect(notices).toEqual([{ kind: 'tools_changed' }])
})

test.each([
  ['has nobody to tell', { hears: false }],
  ['is offered nothing', { capabilities: { tools: {} } }],
])('a client that %s does not ask', async (_, scene) => {
  expect((await connect(scene)).streams).toEqual([])
})

test('a change that names no stream is heard', async () => {
  const { server, notices } = await connect()
  server.send({ method: 'notifications/tools/list_changed' })
  expect(notices).toEqual([{ kind: 'tools_changed' }])
})

test('what belongs to a stream of somebody else is not heard', async () => {
  const { streams, notices } = await connect()
  streams[0]?.tell('notifications/tools/list_changed', {}, 'another')
  streams[0]?.tell('notifications/tools/list_changed', {}, 999)
  expect(notices).toEqual([])
})

const endings: [string, (stream: Stream | undefined) => void][] = [
  ['in good order', (stream) => stream?.end()],
  [
    'by a failure',
    (stream) =>
      stream?.end(new McpError({ kind: 'network', code: 'upstream_failed', message: 'cut' })),
  ],
  ['by a message', (stream) => stream?.tell('notifications/cancelled', { requestId: stream.id })],
]
test.each(endings)(
  'a stream that ends %s is opened again, and what was missed told',
  async (_, end) => {
    const { streams, notices, clock, server } = await connect()
    end(streams[0])
    await clock.advanceAsync(499)
    expect(streams).toHaveLength(1)
    await clock.advanceAsync(501)
    expect(streams.map(({ filter }) => filter)).toEqual([streams[0]?.filter, streams[0]?.filter])
    expect(notices.map(({ kind }) => kind)).toEqual([
      'tools_changed',
      'prompts_changed',
      'resources_changed',
    ])
    expect(server.methods()).not.toContain('notifications/cancelled')
  },
)

test('a stream that keeps ending is opened less and less often', async () => {
  const { streams, clock } = await connect()
  for (let second = 0; second < 600; second++) {
    if (streams.at(-1)?.isOpen) streams.at(-1)?.end()
    await clock.advanceAsync(1_000)
  }
  expect(streams.length).toBeGreaterThan(12)
  expect(streams.length).toBeLessThan(40)
})

test('a stream that lasted is opened again soon, whatever was before it', async () => {
  const { streams, clock } = await connect()
  for (let round = 0; round < 8; round++) {
    streams.at(-1)?.end()
    await clock.advanceAsync(60_000)
  }
  const before = streams.length
  streams.at(-1)?.end()
  await clock.advanceAsync(1_000)
  expect(streams).toHaveLength(before + 1)
})

test.each([
  ['does not know the request', fault(-32601, 'Method not found')],
  [
    'wants somebody to sign in',
    new McpError({ kind: 'sign_in', code: 'unauthenticated', message: '' }),
  ],
])('a server that %s is not asked again', async (_, error) => {
  const listen: Method = () => {
    throw error
  }
  const methods = { ...modernMethods(listChanges), 'subscriptions/listen': listen }
  const server = createTestServer({ kind: 'stdio', methods })
  const clock = createFakeClock()
  const client = createMcpClient({ transport: server.transport, clock, onNotice: () => undefined })
  await client.connect()
  await clock.advanceAsync(600_000)
  expect(server.methods()).toEqual(['server/discover', 'subscriptions/listen'])
})

test('a server that never agrees is left and tried again', async () => {
  const { streams, clock } = await connect({ agree: () => undefined })
  await clock.advanceAsync(5_000)
  expect(streams.map(({ isOpen }) => isOpen)).toEqual([false])
  await clock.advanceAsync(1_000)
  expect(streams.map(({ isOpen }) => isOpen)).toEqual([false, true])
})

test('resources join the stream: the new one stands before the old one ends', async () => {
  const { client, streams, notices, server } = await connect()
  const stop = await client.subscribeResource('a:1')
  await client.subscribeResource('a:2')
  const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
  expect(streams.map(({ filter, isOpen }) => [filter, isOpen])).toEqual([
    [lists, false],
    [{ ...lists, resourceSubscriptions: ['a:1'] }, false],
    [{ ...lists, resourceSubscriptions: ['a:1', 'a:2'] }, true],
  ])
  streams[2]?.tell('notifications/resources/updated', { uri: 'a:1' })
  expect(notices).toEqual([{ kind: 'resource_updated', uri: 'a:1' }])
  await stop()
  await stop()
  await waitFor(() => streams.length === 4)
  expect(streams[3]?.filter).toEqual({ ...lists, resourceSubscriptions: ['a:2'] })
  const [listen, leave] = ['subscriptions/listen', 'notifications/cancelled']
  const order = [listen, listen, leave, listen, leave, listen, leave]
  await expect.poll(() => server.methods().slice(1)).toEqual(order)
})

test('over HTTP a stream that is left is closed without a message', async () => {
  const { client, streams, server } = await connect({ kind: 'http' })
  await client.subscribeResource('a:1')
  await waitFor(() => streams[0]?.isOpen === false)
  expect(server.methods()).not.toContain('notifications/cancelled')
})

test('a resource that the server will not tell of is an error, and the rest goes on', async () => {
  const agree = ({ resourceSubscriptions: _, ...rest }: Record<string, unknown>) => rest
  const { client, streams, notices } = await connect({ agree })
  expect(await failure(client.subscribeResource('a:1'))).toMatchObject({ kind: 'protocol' })
  streams.at(-1)?.tell('notifications/tools/list_changed')
  expect(notices).toEqual([{ kind: 'tools_changed' }])
})

test('closing ends the stream and every wait for it', async () => {
  const { client, streams, clock } = await connect()
  await client.close()
  await waitFor(() => streams[0]?.isOpen === false)
  const other = await connect()
  other.streams[0]?.end()
  await other.clock.advanceAsync(1)
  await other.client.close()
  await other.clock.advanceAsync(600_000)
  expect(other.streams).toHaveLength(1)
  expect([clock.pending(), other.clock.pending()]).toEqual([0, 0])
})

test('who no longer wants to wait for a resource leaves it to the others', async () => {
  const agreed = Promise.withResolvers<object>()
  const server = createTestServer({
    methods: { 'resources/subscribe': () => agreed.promise, 'resources/unsubscribe': () => ({}) },
  })
  await using client = createMcpClient({ transport: server.transport })
  await client.initialize()
  const stop = new AbortController()
  const { signal } = stop
  const left = failure(client.subscribeResource('a:1', { signal }))
  const alone = failure(client.subscribeResource('a:2', { signal }))
  const stays = client.subscribeResource('a:1')
  stop.abort()
  expect(await left).toMatchObject({ kind: 'cancelled' })
  expect(await alone).toMatchObject({ kind: 'cancelled' })
  agreed.resolve({})
  await stays
  await expect
    .poll(() => server.received.slice(2).map((it) => 'params' in it && [it.method, it.params?.uri]))
    .toEqual([
      ['resources/subscribe', 'a:1'],
      ['resources/subscribe', 'a:2'],
      ['resources/unsubscribe', 'a:2'],
    ])
})

test('a subscription that was refused is not taken back', async () => {
  const refuse: Method = () => {
    throw fault(-32602, 'no such resource')
  }
  const server = createTestServer({ methods: { 'resources/subscribe': refuse } })
  await using client = createMcpClient({ transport: server.transport })
  await client.initialize()
  for (const _ of [1, 2]) {
    expect(await failure(client.subscribeResource('a:1'))).toMatchObject({ rpc: { code: -32602 } })
  }
  await client.ping()
  expect(server.methods().slice(2)).toEqual(['resources/subscribe', 'resources/subscribe', 'ping'])
})

test('in the handshake era a resource is subscribed once for all who want to know', async () => {
  const server = createTestServer({
    methods: {
      'resources/subscribe': () => ({}),
      'resources/unsubscribe': () => ({}),
      initialize: () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo }),
    },
  })
  await using client = createMcpClient({ transport: server.transport })
  await client.initialize()
  const stops = await Promise.all([
    client.subscribeResource('a:1'),
    client.subscribeResource('a:1'),
  ])
  await stops[0]()
  await stops[0]()
  expect(server.methods().slice(2)).toEqual(['resources/subscribe'])
  await stops[1]()
  expect(server.methods().slice(2)).toEqual(['resources/subscribe', 'resources/unsubscribe'])
})
