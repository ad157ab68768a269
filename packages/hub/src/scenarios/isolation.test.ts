import { type Mall, startMall } from '@dataagent/example-mall'
import {
  type FaultProxy,
  startFaultProxy,
  startHostileHttpApart,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { admin, everything, startTestHub, type TestHub, tenant_id, toContext } from './test-hub.ts'
import { type Latency, timeEach } from './test-latency.ts'
import { getOrder } from './test-mall-words.ts'

const settings = { defaultAllow: everything }
const asB = toContext({ agent_id: 'b' })
const asA = toContext({ agent_id: 'a', user_id: 'bob' })
const calls = 100

interface Trouble {
  how: string
  make(stage: Stage): Promise<void>
}

const troubles: Trouble[] = [
  { how: 'swallows everything', make: ({ proxy }) => proxy.set({ kind: 'black_hole' }) },
  { how: 'is slow', make: ({ a }) => a.delay(getOrder.tool, 20_000) },
  { how: 'is down', make: ({ proxy }) => proxy.set({ kind: 'refuse' }) },
  { how: 'cuts each connection', make: ({ proxy }) => proxy.set({ kind: 'cut', afterBytes: 300 }) },
]

describe.each(troubles)('while server A $how', ({ how, make }) => {
  test('a call bound to server B runs on B, alone and in time [A6.1] [A6.2]', async () => {
    await using stage = await openStage()
    const { hub, b } = stage
    const listed = hub.listTools(asB)
    const [health] = hub.upstreams.health(tenant_id, 'b')
    const quiet = await timeCalls(stage)
    await make(stage)
    // Others' calls of A hang, wait or fail meanwhile.
    const leaving = new AbortController()
    const others = Array.from({ length: 50 }, () =>
      hub.callTool({ ...asA, signal: leaving.signal }, { ...getOrder, timeout_ms: 20_000 }),
    )
    const troubled = await timeCalls(stage)
    console.info(`A ${how}: B took ${troubled.text}; when quiet ${quiet.text}`)
    expectUnhurried(troubled, quiet)
    expect(hub.listTools(asB)).toBe(listed)
    expect(hub.upstreams.health(tenant_id, 'b')).toEqual([health])
    leaving.abort()
    await Promise.all(others)
    expect(await b.calls()).toHaveLength(2 * calls)
    expect(await serversOf(stage, 'b')).toEqual(new Set(['b']))
    expect(await serversOf(stage, 'a')).toEqual(new Set(['a']))
  })
})

test('a server that floods does not hold up another [A6.2]', async () => {
  await using stage = await openStage()
  const { hub, b } = stage
  const count = Number.POSITIVE_INFINITY
  await using flood = await startHostileHttpApart('notification_flood', { count })
  await stage.test.connect({ name: 'flood', url: flood.url, timeout: 120 })
  await hub.policy.clearAllowList(admin, { kind: 'agent', id: 'a' })
  const listed = hub.listTools(asB)
  const [health] = hub.upstreams.health(tenant_id, 'b')
  const quiet = await timeCalls(stage, 30)
  const leaving = new AbortController()
  let ended = 0
  const others = Array.from({ length: 2 }, async () => {
    const call = { tool: 'flood.echo', args: { message: 'x' } }
    const outcome = await hub.callTool({ ...asA, signal: leaving.signal }, call)
    ended += 1
    return outcome.status
  })
  await waitFor(() => flood.notes('received').filter(isCall).length === others.length)
  const troubled = await timeCalls(stage, 30)
  console.info(`A floods: B took ${troubled.text}; when quiet ${quiet.text}`)
  expect(ended).toBe(0)
  // It takes its turns on the same thread, and no more than those.
  expectUnhurried(troubled, quiet, 250)
  expect(hub.listTools(asB)).toBe(listed)
  expect(hub.upstreams.health(tenant_id, 'b')).toEqual([health])
  leaving.abort()
  expect(new Set(await Promise.all(others))).toEqual(new Set(['cancelled']))
  expect(await b.calls()).toHaveLength(2 * 30)
  expect(await serversOf(stage, 'b')).toEqual(new Set(['b']))
  expect(await serversOf(stage, 'a')).toEqual(new Set(['flood']))
})

test('same-named tools of two servers both work, by name, alias and id [A6.1]', async () => {
  await using stage = await openStage()
  const { hub, a, b } = stage
  const { tool: name } = getOrder
  expect(await hub.callTool(toContext(), getOrder)).toMatchObject({
    status: 'invalid',
    error: { message: expect.stringContaining(`a.${name}, second.${name}`) },
  })
  const tools = {
    a: [`a.${name}`, { server_id: 'a', name }],
    b: [`b.${name}`, `second.${name}`, `b/${name}`, { server_id: 'b', name }],
  }
  for (const [server_id, names] of Object.entries(tools)) {
    for (const tool of names) {
      const outcome = await hub.callTool(toContext(), { ...getOrder, tool })
      expect(outcome).toMatchObject({ status: 'ok', tool: { server_id } })
    }
  }
  expect([(await a.calls()).length, (await b.calls()).length]).toEqual([2, 4])
})

/** Two malls with the same tools, A behind a proxy; each agent is bound to its own. */
interface Stage extends AsyncDisposable {
  test: TestHub
  hub: TestHub['hub']
  a: Mall
  b: Mall
  proxy: FaultProxy
}

async function openStage(): Promise<Stage> {
  const cleanup = new AsyncDisposableStack()
  const [a, b] = [cleanup.use(await startMall()), cleanup.use(await startMall())]
  const proxy = cleanup.use(await startFaultProxy({ target: a.url }))
  const test = cleanup.use(await startTestHub({ settings }))
  const { hub } = test
  await test.connect({ name: 'a', url: proxy.url, transport: 'sse', healthEvery: 2 })
  const second = { name: 'b', alias: 'second', url: b.url } as const
  await test.connect({ ...second, transport: 'sse', healthEvery: 2 })
  for (const id of ['a', 'b']) {
    await hub.policy.setAllowList(admin, { kind: 'agent', id }, [{ server_id: id, tool: '*' }])
  }
  return { test, hub, a, b, proxy, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

function timeCalls({ hub }: Stage, count = calls): Promise<Latency> {
  return timeEach(count, async () => {
    const outcome = await hub.callTool(asB, getOrder)
    expect(outcome).toMatchObject({ status: 'ok', tool: { server_id: 'b' } })
  })
}

/** Generous, for a machine that does other things; what hangs takes seconds. */
function expectUnhurried(troubled: Latency, quiet: Latency, roomMs = 50): void {
  expect(troubled.p50).toBeLessThan(quiet.p50 * 10 + roomMs)
  expect(troubled.p99).toBeLessThan(quiet.p99 * 10 + 500)
}

function isCall(method: string): boolean {
  return method === 'tools/call'
}

async function serversOf({ hub }: Stage, agent_id: string) {
  await hub.audit.flush()
  const rows = await hub.audit.query(admin, { agent_id, limit: 1_000, offset: 0 })
  return new Set(rows.map(({ server_id }) => server_id))
}
