import { startMall, startMallProcess } from '@dataagent/example-mall'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { HubOptions } from '../hub-options.ts'
import type { Principal } from '../principal.ts'
import { createEchoServers } from './test-echo-servers.ts'
import { admin, everything, startTestHub, type TestHub, tenant_id, toContext } from './test-hub.ts'
import { getOrder } from './test-mall-words.ts'
import { openTestStore } from './test-store.ts'

/** Five probes a second find a loss that no call has shown. */
const config = { name: 'mall', transport: 'sse', healthEvery: 0.2, timeout: 2 } as const
const callers: Partial<Principal>[] = [
  { agent_id: 'a' },
  { agent_id: 'b', user_id: 'bob' },
  { api_key: 'key', user_id: null },
  { group_id: 'group', user_id: null },
  {},
]

const losses: { how: string; answer: 401 | 404 | 500 | 'hang' }[] = [
  { how: 'a 401', answer: 401 },
  { how: 'a 404', answer: 404 },
  { how: 'a 500', answer: 500 },
  { how: 'a probe without an answer', answer: 'hang' },
]

describe.each(losses)('$how', ({ answer, how }) => {
  test('of a probe takes the tools from every list, and they return [A1.3] [A1.4]', async () => {
    await using mall = await startMall()
    await using test = await startOpenHub()
    const { server_id } = await test.connect({ ...config, url: mall.url })
    const ms = await timeWithdrawal(test, server_id, {
      lose: () => mall.answer(answer),
      giveBack: () => mall.answer('normal'),
    })
    console.info(`${how}: gone from every list ${ms.toFixed(1)} ms after it was known`)
    expect(ms).toBeLessThan(1_000)
  })

  test('at the handshake offers nothing, and the tools come later [A1.3] [A1.4]', async () => {
    await using mall = await startMall()
    await mall.answer(answer)
    await using test = await startOpenHub()
    const { server_id } = await test.register({ ...config, url: mall.url })
    await waitFor(() => statusOf(test, server_id) === 'error', { timeoutMs: 15_000 })
    expect(callers.map((caller) => mallTools(test, caller))).toEqual(callers.map(() => 0))
    await mall.answer('normal')
    await expectBack(test, server_id)
  })
})

test('a stream that breaks withdraws the tools, and they return [A1.3] [A1.4]', async () => {
  await using mall = await startMallProcess()
  await using test = await startOpenHub()
  const { server_id } = await test.connect({ ...config, url: mall.url })
  const ms = await timeWithdrawal(test, server_id, {
    lose: () => mall.kill(),
    giveBack: () => mall.start(),
  })
  expect(ms).toBeLessThan(1_000)
})

test('a server is probed every 30 s where nobody says another time [A1.3]', async () => {
  const clock = createFakeClock({ now: Date.now() })
  const { createTransport, pings } = createEchoServers()
  await using test = await startOpenHub({ clock, createTransport })
  await test.connect({ name: 'local', command: 'none' })
  await clock.advanceAsync(29_900)
  expect(pings()).toBe(0)
  await clock.advanceAsync(100)
  expect(pings()).toBe(1)
  await clock.advanceAsync(29_900)
  expect(pings()).toBe(1)
  await clock.advanceAsync(100)
  expect(pings()).toBe(2)
})

test('a tool of an earlier run is known, and offered after the handshake alone [A1.3]', async () => {
  await using mall = await startMall()
  await using store = await openTestStore()
  const first = await startOpenHub(store.options)
  const { server_id } = await first.connect({ ...config, url: mall.url })
  await first[Symbol.asyncDispose]()

  await mall.answer('hang')
  await using test = await startOpenHub(store.options)
  expect(test.hub.catalogue.ofServer(tenant_id, server_id)).toHaveLength(8)
  expect(mallTools(test)).toBe(0)
  await expectUnavailable(test)
  await mall.answer('normal')
  await expectBack(test, server_id)
})

/** Everyone may use everything; a tool group by a list of its own, as each has. */
async function startOpenHub(options: Partial<HubOptions> = {}): Promise<TestHub> {
  const test = await startTestHub({ ...options, settings: { defaultAllow: everything } })
  await test.hub.policy.setAllowList(admin, { kind: 'group', id: 'group' }, everything)
  return test
}

function mallTools({ hub }: TestHub, caller: Partial<Principal> = {}): number {
  return hub.listTools(toContext(caller)).filter(({ own }) => own === undefined).length
}

function statusOf({ hub }: TestHub, server_id: string) {
  return hub.upstreams.health(tenant_id, server_id)[0]?.status
}

/**
 * How soon the tools go once the loss is known, and whether they come back: the best of three
 * rounds, as load only adds.
 */
async function timeWithdrawal(
  test: TestHub,
  server_id: string,
  { lose, giveBack }: { lose(): Promise<unknown>; giveBack(): Promise<unknown> },
): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3 && fastest >= 1_000; round += 1) {
    const withdrawn = watchWithdrawal(test)
    await lose()
    const { ms } = await withdrawn
    fastest = Math.min(fastest, ms)
    await expectUnavailable(test)
    await giveBack()
    await expectBack(test, server_id)
  }
  return fastest
}

/** How long after the first news of the loss nobody's list has a tool of the server. */
async function watchWithdrawal(test: TestHub): Promise<{ ms: number }> {
  const { promise: lost, resolve } = Promise.withResolvers<number>()
  const stop = test.hub.upstreams.onHealth(({ status }) => {
    if (status !== 'running') resolve(performance.now())
  })
  const since = await lost
  stop()
  const isGone = () => callers.every((caller) => mallTools(test, caller) === 0)
  await waitFor(isGone, { intervalMs: 1, timeoutMs: 15_000 })
  return { ms: performance.now() - since }
}

async function expectUnavailable({ hub }: TestHub): Promise<void> {
  for (const caller of callers) {
    expect(await hub.callTool(toContext(caller), getOrder)).toMatchObject({
      status: 'unavailable',
      error: { code: 'unavailable' },
    })
  }
}

async function expectBack(test: TestHub, server_id: string): Promise<void> {
  await waitFor(() => callers.every((caller) => mallTools(test, caller) === 8), {
    timeoutMs: 15_000,
    what: `the tools of ${server_id} are back`,
  })
  const outcome = await test.hub.callTool(toContext({ agent_id: 'a' }), getOrder)
  expect(outcome).toMatchObject({ status: 'ok', tool: { server_id } })
}
