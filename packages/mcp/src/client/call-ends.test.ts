import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { cancelledError, closedError } from '../errors.ts'
import type { Transport } from '../transports/transport.ts'
import { createMcpClient } from './client.ts'
import type { McpClientOptions, Progress } from './contract.ts'
import { openClient } from './open-client.ts'
import { createTestServer, type Method, modernMethods, never } from './test-server.ts'

async function connect(methods: Record<string, Method>, options: Partial<McpClientOptions> = {}) {
  const server = createTestServer({ methods })
  const client = createMcpClient({ transport: server.transport, ...options })
  await client.connect({ era: 'legacy' })
  return { server, client }
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a call ends at its deadline, not before, and the server is told', async () => {
  const clock = createFakeClock()
  const { client, server } = await connect({ 'tools/call': never }, { clock, timeoutMs: 1_000 })
  let error: unknown
  const call = failure(client.callTool('slow')).then((it) => {
    error = it
  })
  await clock.advanceAsync(999)
  expect(error).toBeUndefined()
  await clock.advanceAsync(1)
  await call
  expect(error).toMatchObject({
    kind: 'timeout',
    mayHaveRun: true,
    retryable: true,
    message: 'mcp: "tools/call" did not answer within 1000 ms',
  })
  expect(server.received.at(-1)).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 2 },
  })
})

test('deadlines of many calls hold, each its own, to 50 ms of the real clock', async () => {
  const { client } = await connect({ 'tools/call': never })
  const late = async (timeoutMs: number) => {
    const begun = performance.now()
    await failure(client.callTool('slow', {}, { timeoutMs }))
    const ms = performance.now() - begun - timeoutMs
    expect(ms).toBeGreaterThan(-5)
    return ms
  }
  let latest = Number.POSITIVE_INFINITY
  // The best of some rounds: what else the machine does only adds.
  for (let round = 0; round < 10 && latest >= 50; round += 1) {
    latest = Math.max(...(await Promise.all([300, 50, 200, 100, 150].map(late))))
  }
  expect(latest).toBeLessThan(50)
})

test('one timer serves all calls, and none is left when the client is closed', async () => {
  const clock = createFakeClock()
  const { client } = await connect({ 'tools/call': never }, { clock })
  const calls = Array.from({ length: 100 }, () => failure(client.callTool('slow')))
  expect(clock.pending()).toBe(1)
  await client.close()
  await Promise.all(calls)
  expect(clock.pending()).toBe(0)
})

test('a list of many pages has the time of one call', async () => {
  const clock = createFakeClock()
  const page: Method = async ({ cursor = '0' }) => {
    await new Promise<void>((resolve) => clock.after(300, resolve))
    return { tools: [], nextCursor: `${Number(cursor) + 1}` }
  }
  const { client } = await connect({ 'tools/list': page }, { clock, timeoutMs: 1_000 })
  const list = failure(client.listTools())
  await clock.advanceAsync(1_000)
  expect(await list).toMatchObject({ kind: 'timeout' })
})

test('an answered call leaves the next one its whole time', async () => {
  const clock = createFakeClock()
  const { client } = await connect({ slow: never }, { clock, timeoutMs: 1_000 })
  await client.ping()
  clock.advance(900)
  let isEnded = false
  const call = failure(client.request('slow')).then(() => {
    isEnded = true
  })
  await clock.advanceAsync(999)
  expect(isEnded).toBe(false)
  await clock.advanceAsync(1)
  await call
  expect(isEnded).toBe(true)
})

test('a cancelled call rejects at once with the reason, and the server is told', async () => {
  const { client, server } = await connect({ 'tools/call': never })
  const stop = new AbortController()
  const call = failure(client.callTool('slow', {}, { signal: stop.signal }))
  stop.abort(new Error('the user went away'))
  expect(await call).toMatchObject({
    kind: 'cancelled',
    mayHaveRun: true,
    cause: { message: 'the user went away' },
  })
  expect(server.methods().at(-1)).toBe('notifications/cancelled')
})

test('a call whose signal has aborted is not sent', async () => {
  const { client, server } = await connect({ 'tools/call': never })
  const before = server.received.length
  const call = failure(client.callTool('x', {}, { signal: AbortSignal.abort() }))
  expect(await call).toMatchObject({ kind: 'cancelled', mayHaveRun: false })
  expect(server.received).toHaveLength(before)
})

test('the server is not told of a call that never reached it', async () => {
  const { transport, methods } = createTestServer()
  const call: Transport['call'] = (request, options) => {
    if (request.method !== 'tools/call') return transport.call(request, options)
    const { signal } = options ?? {}
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(cancelledError(signal, false)))
    })
  }
  await using client = createMcpClient({ transport: { ...transport, call } })
  await client.initialize()
  const ended = await failure(client.callTool('queued', {}, { timeoutMs: 10 }))
  expect(ended).toMatchObject({ kind: 'timeout', mayHaveRun: false })
  expect(methods()).toEqual(['initialize', 'notifications/initialized'])
})

test('the host is told once that the server has gone, and not of its own close', async () => {
  const gone: Error[] = []
  const onClose = (error: Error) => gone.push(error)
  const lost = closedError('the server has exited', false)
  const { client, server } = await connect({}, { onClose })
  server.leave(lost)
  server.leave(lost)
  await client.close()
  expect(gone).toEqual([lost])
  const { client: other, server: second } = await connect({}, { onClose })
  await other.close()
  second.leave(lost)
  expect(gone).toHaveLength(1)
})

test('a server that goes while it is being opened fails the opening alone', async () => {
  const gone: Error[] = []
  const server = createTestServer({
    methods: {
      initialize: () => {
        const lost = closedError('the server has exited', true)
        server.leave(lost)
        throw lost
      },
    },
  })
  const onClose = (error: Error) => gone.push(error)
  const client = createMcpClient({ transport: server.transport, onClose })
  expect(await failure(client.initialize())).toMatchObject({ kind: 'closed' })
  expect(gone).toEqual([])
})

test('initialize is never cancelled at the server', async () => {
  const clock = createFakeClock()
  const server = createTestServer({ methods: { initialize: never } })
  const client = createMcpClient({ transport: server.transport, clock, timeoutMs: 1_000 })
  const opening = failure(client.initialize())
  await clock.advanceAsync(1_000)
  expect(await opening).toMatchObject({ kind: 'timeout', message: /the server did not answer/ })
  expect(server.methods()).toEqual(['initialize'])
  expect(clock.pending()).toBe(0)
})

test.each([
  ['http', false],
  ['stdio', true],
] as const)('without a handshake a cancel over %s is told by a message: %s', async (kind, told) => {
  const methods = { ...modernMethods(), 'tools/call': never }
  const server = createTestServer({ kind, methods })
  await using client = createMcpClient({ transport: server.transport })
  await client.connect({ era: 'modern' })
  const stop = new AbortController()
  const call = failure(client.callTool('slow', {}, { signal: stop.signal }))
  stop.abort()
  await call
  expect(server.methods().includes('notifications/cancelled')).toBe(told)
})

test('progress reaches the call that asked for it, and no other', async () => {
  const { client, server } = await connect({
    'tools/call': async (params, { request, send }) => {
      const token = (params._meta as Record<string, unknown> | undefined)?.progressToken
      const tell = (progressToken: unknown, rest: object) =>
        send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, ...rest },
        })
      tell(token ?? request.id, { progress: 1, total: 2, message: 'half' })
      tell(999, { progress: 1 })
      tell(token ?? request.id, { progress: 'much' })
      tell(token ?? request.id, { progress: 2 })
      return {}
    },
  })
  const seen: Progress[] = []
  await client.callTool('x', {}, { onProgress: (progress) => seen.push(progress) })
  expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }])
  await client.callTool('x')
  server.send({ method: 'notifications/progress', params: { progressToken: 2, progress: 3 } })
  expect(seen).toHaveLength(2)
  expect(server.received[2]).toMatchObject({ params: { _meta: { progressToken: 2 } } })
  expect(server.received[3]).toEqual(
    expect.objectContaining({ params: { name: 'x', arguments: {} } }),
  )
})

test('calls under way end when the client closes', async () => {
  const { client } = await connect({ 'tools/call': never })
  const calls = [1, 2, 3].map(() => failure(client.callTool('slow')))
  await client.close()
  for (const call of calls) expect(await call).toMatchObject({ kind: 'closed', mayHaveRun: true })
})

test('closing while it is being opened ends the opening', async () => {
  const server = createTestServer({ methods: { initialize: never } })
  const client = createMcpClient({ transport: server.transport })
  const opening = failure(client.initialize())
  await waitFor(() => server.received.length === 1)
  await client.close()
  expect(await opening).toMatchObject({ kind: 'closed' })
})

test('a thousand cancelled calls leave no listener on their signal', async () => {
  const { client, server } = await connect({ 'tools/call': never, quick: () => ({}) })
  const stop = new AbortController()
  const listeners = watchListeners(stop.signal)
  const calls = Array.from({ length: 500 }, () =>
    failure(client.callTool('slow', {}, { signal: stop.signal })),
  )
  await Promise.all(
    Array.from({ length: 500 }, () => client.request('quick', {}, { signal: stop.signal })),
  )
  stop.abort()
  await Promise.all(calls)
  expect(listeners()).toBe(0)
  const cancels = () => server.methods().filter((it) => it === 'notifications/cancelled')
  await waitFor(() => cancels().length === 500)
})

/** How many listeners a signal has now. */
function watchListeners(signal: AbortSignal): () => number {
  const held = new Set<unknown>()
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (type: string, listener: never, options: never) => {
    held.add(listener)
    addEventListener.call(signal, type, listener, options)
  }
  signal.removeEventListener = (type: string, listener: never) => {
    held.delete(listener)
    removeEventListener.call(signal, type, listener)
  }
  return () => held.size
}

test('a timeout that is no number is a matter of configuration, wherever it is given', async () => {
  const methods = { ...modernMethods(), 'tools/call': never, 'tools/list': never }
  const { transport } = createTestServer({ methods })
  const wrong = { timeoutMs: Number.NaN }
  const config = expect.objectContaining({ kind: 'config' })
  expect(() => createMcpClient({ transport, ...wrong })).toThrow(config)
  expect(await failure(openClient({ createTransport: () => transport, ...wrong }))).toEqual(config)
  const client = createMcpClient({ transport })
  await client.connect()
  expect(await failure(client.callTool('slow', {}, wrong))).toEqual(config)
  expect(await failure(client.listTools(wrong))).toEqual(config)
  expect(await failure(client.request('tools/call', {}, wrong))).toEqual(config)
  expect(await failure(client.subscribeResource('a:b', wrong))).toEqual(config)
})

test('a timeout of zero is the default, an endless one never comes', async () => {
  const clock = createFakeClock()
  const { client } = await connect({ slow: never }, { clock, timeoutMs: 1_000 })
  let isEnded = false
  const usual = failure(client.request('slow', {}, { timeoutMs: 0 }))
  void usual.then(() => {
    isEnded = true
  })
  await clock.advanceAsync(999)
  expect(isEnded).toBe(false)
  const endless = failure(client.request('slow', {}, { timeoutMs: Number.POSITIVE_INFINITY }))
  void endless.then(() => {
    isEnded = true
  })
  await clock.advanceAsync(1)
  expect(await usual).toMatchObject({ kind: 'timeout' })
  isEnded = false
  await clock.advanceAsync(1_000_000_000)
  expect(isEnded).toBe(false)
  await client.close()
  expect(await endless).toMatchObject({ kind: 'closed' })
})
