import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConnectionEvent } from './contract.ts'
import { createTestConnection, type TestConnection } from './test-connection.ts'
import { failing, toFailure } from './test-failures.ts'
import { createTestServer, type TestServer, toTool } from './test-server.ts'

type World = TestConnection & { server: TestServer; waiting: Promise<unknown>[] }
type Step = (world: World) => unknown

const failures = fc.constantFrom(
  toFailure('network'),
  toFailure('network', { mayHaveRun: true }),
  toFailure('session_lost'),
  toFailure('sign_in'),
  toFailure('timeout'),
  toFailure('http', { statusCode: 401 }),
  toFailure('http', { statusCode: 503 }),
)
const methods = fc.constantFrom('initialize', 'tools/list', 'tools/call', 'ping')
const never = () => new Promise(() => undefined)
const wait = (world: World, promise: Promise<unknown>) =>
  world.waiting.push(promise.catch(() => undefined))

/** What may happen to a connection, from either side, in any order. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.nat(40_000).map(
    (ms) =>
      ({ clock }: World) =>
        clock.advanceAsync(ms),
  ),
  fc.nat(300).map(
    (ms) =>
      ({ clock }: World) =>
        clock.advanceAsync(ms),
  ),
  fc.constant(({ server }: World) => server.die()),
  failures.map(
    (error) =>
      ({ server }: World) =>
        server.die(error),
  ),
  fc.option(failures, { nil: undefined }).map((error) => ({ server }: World) => {
    server.startFails = error
  }),
  fc.tuple(methods, failures).map(([method, error]) => ({ server }: World) => {
    server.answers.set(method, failing(error))
  }),
  methods.map(
    (method) =>
      ({ server }: World) =>
        void server.answers.set(method, never),
  ),
  methods.map(
    (method) =>
      ({ server }: World) =>
        heal(server, method),
  ),
  fc.nat(3).map((count) => ({ server }: World) => {
    server.tools = Array.from({ length: count }, (_, index) => toTool(`tool ${index}`))
    server.notify('notifications/tools/list_changed')
  }),
  fc.constant((world: World) => wait(world, world.connection.callTool('read'))),
  fc.constant((world: World) => wait(world, world.connection.refreshTools())),
  fc.constant((world: World) => wait(world, world.connection.reconnect())),
)

function heal(server: TestServer, method: string): void {
  const good = createTestServer().answers.get(method)
  if (method === 'tools/list') server.answers.set(method, () => ({ tools: server.tools }))
  else if (good !== undefined) server.answers.set(method, good)
}

test('whatever happens in whatever order, one client at most is open, and none after close', {
  timeout: 600_000,
}, async () => {
  const runs = fc.asyncProperty(fc.array(steps, { maxLength: 40 }), async (script) => {
    const server = createTestServer('read')
    const opened = createTestConnection(server)
    const world = { ...opened, server, waiting: [] as Promise<unknown>[] }
    await world.connection.open()
    for (const step of script) {
      await step(world)
      expectConsistent(world)
    }
    await world.connection.close()
    await world.clock.advanceAsync(100_000)
    await Promise.all(world.waiting)
    expect([server.open, world.clock.pending()]).toEqual([0, 0])
    expectOrderly(world.events)
  })
  await fc.assert(runs, { numRuns: longCount(200, 10_000) })
})

test('whatever happened, a server that is well again is found again', {
  timeout: 600_000,
}, async () => {
  const runs = fc.asyncProperty(fc.array(steps, { maxLength: 40 }), async (script) => {
    const server = createTestServer('read')
    const opened = createTestConnection(server)
    const world = { ...opened, server, waiting: [] as Promise<unknown>[] }
    await world.connection.open()
    for (const step of script) await step(world)
    server.startFails = undefined
    for (const method of ['initialize', 'tools/list', 'tools/call', 'ping']) heal(server, method)
    await world.clock.advanceAsync(200_000)
    const { status } = world.connection.state
    if (status === 'failed' || status === 'needs_sign_in') await world.connection.reconnect()
    expect(world.connection.state.status).toBe('ready')
    expect(world.connection.tools).toEqual(server.tools)
    await world.connection.callTool('read')
    await world.connection.close()
  })
  await fc.assert(runs, { numRuns: longCount(200, 10_000) })
})

function expectConsistent({ connection, server, events }: World): void {
  expect(server.open).toBeLessThanOrEqual(1)
  const last = events.findLast(({ kind }) => kind === 'state')
  expect(last).toEqual({ kind: 'state', state: connection.state })
  if (connection.state.status !== 'ready') expect(connection.tools).toEqual([])
}

/** Tools are told after `ready`, and withdrawn before any other state. */
function expectOrderly(events: ConnectionEvent[]): void {
  let isOffered = false
  for (const event of events) {
    if (event.kind === 'tools') isOffered = event.tools !== undefined
    if (event.kind === 'state') expect(isOffered).toBe(false)
  }
}
