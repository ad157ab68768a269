import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { closedError, McpError } from '../errors.ts'
import type { Transport, TransportKind } from '../transports/transport.ts'
import type { EraVerdict, OpenClientOptions } from './contract.ts'
import { openClient } from './open-client.ts'
import { createTestServer, fault, type Method, modernMethods, never } from './test-server.ts'

type Servers = Record<string, { kind: TransportKind; methods: Record<string, Method> }[]>

/** A transport for each attempt, in order, and what was asked of each. */
function prepare(servers: Servers, options: Partial<OpenClientOptions> = {}) {
  const clock = createFakeClock({ now: 5_000 })
  const attempts: { way: string; methods: () => string[]; closes: number }[] = []
  const createTransport = (way: 'usual' | 'sse'): Transport | undefined => {
    const next = servers[way]?.shift()
    if (next === undefined) return undefined
    const { transport, methods } = createTestServer(next)
    const attempt = { way, methods, closes: 0 }
    attempts.push(attempt)
    const close = () => {
      attempt.closes += 1
      return transport.close()
    }
    return { ...transport, close }
  }
  const open = () => openClient({ createTransport, clock, timeoutMs: 10_000, ...options })
  return { open, clock, attempts }
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )
const legacy = { era: 'legacy', version: '2025-11-25', decided_at: 5_000 }
const modern = { era: 'modern', version: '2026-07-28', decided_at: 5_000 }
const remembered = (verdict: Partial<EraVerdict>): EraVerdict => ({
  era: 'legacy',
  version: '2025-11-25',
  decided_at: 1,
  ...verdict,
})

const dies: Method = () => {
  throw closedError('the server has exited (code 1)', true)
}
const refuses =
  (statusCode: number): Method =>
  () => {
    const message = `mcp: http ${statusCode}: `
    throw new McpError({ kind: 'http', code: 'upstream_failed', message, statusCode })
  }
const handshake = ['initialize', 'notifications/initialized']

test('the verdict is told with its date', async () => {
  const { open } = prepare({ usual: [{ kind: 'http', methods: modernMethods() }] })
  const { client, server, verdict } = await open()
  expect(verdict).toEqual(modern)
  expect(server).toBe(client.server)
  expect(await prepare({ usual: [{ kind: 'stdio', methods: {} }] }).open()).toMatchObject({
    verdict: legacy,
  })
})

test('a process that ends on the question is started again and greeted', async () => {
  const usual = [
    { kind: 'stdio' as const, methods: { 'server/discover': dies } },
    { kind: 'stdio' as const, methods: { 'server/discover': dies } },
  ]
  const { open, attempts } = prepare({ usual })
  expect((await open()).verdict).toEqual(legacy)
  expect(attempts.map(({ methods }) => methods())).toEqual([['server/discover'], handshake])
  expect(attempts.map(({ closes }) => closes)).toEqual([1, 0])
})

test('a process that starts slowly and ends on the question has its time again', async () => {
  const clock = createFakeClock({ now: 5_000 })
  const slowly = (method: Method): Method => {
    return async (params, context) => {
      await new Promise<void>((resolve) => clock.after(7_000, resolve))
      return await method(params, context)
    }
  }
  const methods = { 'server/discover': slowly(dies), initialize: slowly(createHello()) }
  const silent = { 'server/discover': slowly(dies), initialize: never }
  const twice = (it: Record<string, Method>) =>
    [1, 2].map(() => ({ kind: 'stdio' as const, methods: it }))
  const { open, attempts } = prepare({ usual: twice(methods) }, { clock })
  const opening = open()
  await clock.advanceAsync(14_000)
  expect((await opening).verdict).toMatchObject({ era: 'legacy' })
  expect(attempts).toHaveLength(2)
  const hopeless = prepare({ usual: twice(silent) }, { clock })
  const failing = failure(hopeless.open())
  await clock.advanceAsync(17_000)
  expect(await failing).toMatchObject({ kind: 'timeout' })
  expect(hopeless.attempts.map(({ closes }) => closes)).toEqual([1, 1])
})

test('a process that ends both times is an error, and nothing is left open', async () => {
  const methods = { 'server/discover': dies, initialize: dies }
  const usual = [1, 2].map(() => ({ kind: 'stdio' as const, methods }))
  const { open, attempts, clock } = prepare({ usual })
  expect(await failure(open())).toMatchObject({ kind: 'closed' })
  expect(attempts.map(({ closes }) => closes)).toEqual([1, 1])
  expect(clock.pending()).toBe(0)
})

test.each([400, 404, 405])('HTTP %d on initialize leads to HTTP+SSE', async (status) => {
  const methods = { 'server/discover': refuses(status), initialize: refuses(status) }
  const usual = [{ kind: 'http' as const, methods }]
  const { open, attempts } = prepare({ usual, sse: [{ kind: 'sse', methods: {} }] })
  const { verdict } = await open()
  expect(verdict).toEqual({ ...legacy, sse: true })
  expect(attempts.map(({ way }) => way)).toEqual(['usual', 'sse'])
  const bare = prepare({ usual: [{ kind: 'http', methods }] })
  expect(await failure(bare.open())).toMatchObject({ kind: 'http', statusCode: status })
})

test.each([[500, handshake[0]], [503, handshake[0]], [401], [403], [429]])(
  'HTTP %d is told, and HTTP+SSE not tried',
  async (status, ...greeting) => {
    const methods = { 'server/discover': refuses(status), initialize: refuses(status) }
    const { open, attempts } = prepare({
      usual: [{ kind: 'http', methods }],
      sse: [{ kind: 'sse', methods: {} }],
    })
    expect(await failure(open())).toMatchObject({ statusCode: status })
    expect(attempts.map((it) => it.methods())).toEqual([['server/discover', ...greeting]])
  },
)

test.each([
  [404, 405],
  [401, 401],
  [503, 503],
])('HTTP+SSE refused with %d is told as %d', async (sse, told) => {
  const methods = { 'server/discover': refuses(405), initialize: refuses(405) }
  const { open, attempts } = prepare({
    usual: [{ kind: 'http', methods }],
    sse: [{ kind: 'sse', methods: { initialize: refuses(sse) } }],
  })
  expect(await failure(open())).toMatchObject({ kind: 'http', statusCode: told })
  expect(attempts.map(({ closes }) => closes)).toEqual([1, 1])
})

test('a modern server of another version is told, and HTTP+SSE not tried', async () => {
  const discover: Method = () => {
    throw fault(-32022, 'no', { supported: ['2027-01-01'] })
  }
  const { open, attempts } = prepare({
    usual: [{ kind: 'http', methods: { 'server/discover': discover } }],
    sse: [{ kind: 'sse', methods: {} }],
  })
  expect(await failure(open())).toMatchObject({ message: expect.stringContaining('2027-01-01') })
  expect(attempts).toHaveLength(1)
})

test('a remembered handshake spares the question', async () => {
  const usual = [{ kind: 'stdio' as const, methods: modernMethods() }]
  const both = { ...modernMethods(), initialize: createHello() }
  const { open, attempts } = prepare(
    { usual: [{ kind: 'stdio', methods: both }, ...usual] },
    { remembered: remembered({}) },
  )
  expect((await open()).verdict).toEqual(legacy)
  expect(attempts.map(({ methods }) => methods())).toEqual([handshake])
})

function createHello(): Method {
  return () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} })
}

test('a remembered HTTP+SSE is tried first, and found out anew when it is gone', async () => {
  const sse = remembered({ sse: true })
  const straight = prepare({ sse: [{ kind: 'sse', methods: {} }] }, { remembered: sse })
  expect((await straight.open()).verdict).toEqual({ ...legacy, sse: true })
  const moved = prepare(
    {
      sse: [{ kind: 'sse', methods: { initialize: refuses(405) } }],
      usual: [{ kind: 'http', methods: modernMethods() }],
    },
    { remembered: sse },
  )
  expect((await moved.open()).verdict).toEqual(modern)
})

test('a wrong memory of the handshake is thrown away', async () => {
  const methods = modernMethods()
  const { open, attempts } = prepare(
    { usual: [1, 2].map(() => ({ kind: 'stdio' as const, methods })) },
    { remembered: remembered({}) },
  )
  expect((await open()).verdict).toEqual(modern)
  expect(attempts.map((it) => it.methods())).toEqual([['initialize'], ['server/discover']])
})

test('a wrong memory of the modern era is thrown away', async () => {
  const { open } = prepare(
    { usual: [{ kind: 'http', methods: {} }] },
    { remembered: remembered({ era: 'modern', version: '2026-07-28' }) },
  )
  expect((await open()).verdict).toEqual(legacy)
})

test('a memory says nothing when the server cannot be reached', async () => {
  const { open, attempts } = prepare(
    { usual: [{ kind: 'http', methods: { initialize: refuses(503) } }] },
    { remembered: remembered({}) },
  )
  expect(await failure(open())).toMatchObject({ statusCode: 503 })
  expect(attempts).toHaveLength(1)
})

test('a server that was modern before is given more time to start', async () => {
  const methods = { ...modernMethods(), 'server/discover': never, initialize: never }
  const { open, attempts, clock } = prepare(
    { usual: [{ kind: 'stdio', methods }] },
    { remembered: remembered({ era: 'modern', version: '2026-07-28' }), timeoutMs: 8_000 },
  )
  const opening = failure(open())
  await clock.advanceAsync(3_999)
  expect(attempts[0]?.methods()).toEqual(['server/discover'])
  await clock.advanceAsync(1)
  expect(attempts[0]?.methods()).toEqual(['server/discover', 'initialize'])
  await clock.advanceAsync(4_000)
  expect(await opening).toMatchObject({ kind: 'timeout' })
})

test('a slow server of both eras is spoken to the older way, and remembered as modern', async () => {
  const clock = createFakeClock({ now: 5_000 })
  const slowly = (method: Method): Method => {
    return async (params, context) => {
      await new Promise<void>((resolve) => clock.after(3_000, resolve))
      return await method(params, context)
    }
  }
  const discover = slowly(modernMethods()['server/discover'] ?? never)
  const methods = { 'server/discover': discover, initialize: slowly(createHello()) }
  const { open } = prepare({ usual: [{ kind: 'stdio', methods }] }, { clock })
  const opening = open()
  await clock.advanceAsync(5_000)
  const { server, verdict } = await opening
  expect(server.era).toBe('legacy')
  expect(verdict).toEqual({ ...modern, decided_at: 10_000 })
})

test('all attempts together take no longer than one may', async () => {
  const usual = [
    { kind: 'stdio' as const, methods: { 'server/discover': never, initialize: never } },
  ]
  const { open, attempts, clock } = prepare({ usual })
  const opening = failure(open())
  await clock.advanceAsync(10_000)
  expect(await opening).toMatchObject({ kind: 'timeout' })
  expect(attempts.map(({ closes }) => closes)).toEqual([1])
  expect(clock.pending()).toBe(0)
})

test('no transport at all is a matter of configuration', async () => {
  expect(await failure(prepare({}).open())).toMatchObject({ kind: 'config' })
})
