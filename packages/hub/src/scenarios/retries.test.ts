import { startMall } from '@dataagent/example-mall'
import { startHostileHttp, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createEchoServers } from './test-echo-servers.ts'
import { everything, startTestHub, type TestHub, toContext } from './test-hub.ts'
import { addNote, getOrder, searchProducts } from './test-mall-words.ts'

const settings = { defaultAllow: everything }
const echo = { tool: 'echo', args: { message: 'hello' } }

test('a broken stream: an idempotent call is made again, another one is not [A4.2] [A4.3]', async () => {
  const delay = { [getOrder.tool]: 300, [addNote.tool]: 300 }
  await using mall = await startMall({ delay })
  await using test = await startTestHub({ settings })
  await test.connect({ name: 'mall', url: mall.url, transport: 'sse' })
  const calls = [getOrder, addNote].map((call) => test.hub.callTool(toContext(), call))
  await waitFor(async () => (await mall.calls()).length === 2)
  await mall.dropStreams()
  const [read, write] = await Promise.all(calls)
  expect(read).toMatchObject({ status: 'ok' })
  expect(write).toMatchObject({
    status: 'unknown_outcome',
    error: { code: 'unknown_outcome', advice: 'ask_user', message: expect.stringContaining('may') },
  })
  expect((await mall.calls(getOrder.tool)).length).toBeGreaterThan(1)
  expect(await mall.calls(addNote.tool)).toHaveLength(1)
  expect(await test.hub.callTool(toContext(), searchProducts)).toMatchObject({ status: 'ok' })
  const attempts = await attemptsOf(test)
  expect(attempts[getOrder.tool]).toBeGreaterThan(1)
  expect(attempts[addNote.tool]).toBe(1)
})

test('a tool that the configuration calls idempotent is called again too [A4.2]', async () => {
  await using mall = await startMall({ delay: { [addNote.tool]: 300 } })
  await using test = await startTestHub({ settings })
  const idempotentTools = ['mall4j.order.add_*']
  await test.connect({ name: 'mall', url: mall.url, transport: 'sse', idempotentTools })
  const call = test.hub.callTool(toContext(), addNote)
  await waitFor(async () => (await mall.calls()).length === 1)
  await mall.dropStreams()
  expect(await call).toMatchObject({ status: 'ok' })
  expect(await mall.calls(addNote.tool)).toHaveLength(2)
})

test('nothing is made again where the server is not to be asked twice [A4.2]', async () => {
  await using server = await startHostileHttp('server_errors')
  await using test = await startTestHub({ settings })
  await test.connect({ name: 'busy', url: server.url, maxRetries: 0 })
  expect(await test.hub.callTool(toContext(), echo)).toMatchObject({
    status: 'failed',
    error: { advice: 'retry', message: expect.stringContaining('503') },
  })
  expect(callsAt(server)).toBe(1)
})

test('a 503 is made again for an idempotent tool, once sent for another [A4.2] [A4.3]', async () => {
  await using server = await startHostileHttp('server_errors')
  await using test = await startTestHub({ settings })
  const toolApproval = { count: 'allow' } as const
  await test.connect({ name: 'busy', url: server.url, toolApproval })
  expect(await test.hub.callTool(toContext(), echo)).toMatchObject({ status: 'ok' })
  expect(callsAt(server)).toBe(2)
  const counted = await test.hub.callTool(toContext(), { tool: 'count' })
  expect(counted).toMatchObject({ status: 'failed', error: { advice: 'degrade' } })
  expect(callsAt(server)).toBe(3)
  expect(server.notes('effect').filter((tool) => tool === 'count').length).toBeLessThan(2)
  expect(await test.hub.callTool(toContext(), { tool: 'count' })).toMatchObject({ status: 'ok' })
})

test('a 429 has not run: it is made again whatever the tool [A4.2]', async () => {
  await using server = await startHostileHttp('too_many_requests', { times: 2 })
  await using test = await startTestHub({ settings })
  const toolApproval = { count: 'allow' } as const
  await test.connect({ name: 'busy', url: server.url, toolApproval })
  expect(await test.hub.callTool(toContext(), { tool: 'count' })).toMatchObject({ status: 'ok' })
  expect(callsAt(server)).toBe(3)
  expect(server.notes('effect')).toHaveLength(1)
})

test('retries wait twice as long each time, and end after three [A4.2]', async () => {
  const arrivals: number[] = []
  await using server = await startHostileHttp('too_many_requests', {}, timeCallsInto(arrivals))
  await using test = await startTestHub({ settings })
  await test.connect({ name: 'busy', url: server.url })
  let gaps = [Infinity, Infinity, Infinity]
  // Load only adds: one of three calls shows the pauses as they are.
  for (let round = 0; round < 3 && !areDoubling(gaps); round += 1) {
    const outcome = await test.hub.callTool(toContext(), echo)
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('failed after 3 retries') },
    })
    const times = arrivals.splice(0)
    expect(times).toHaveLength(4)
    gaps = times.slice(1).map((time, n) => Math.min(time - times[n]!, gaps[n]!))
  }
  console.info(`a failing call came again after ${gaps.map((gap) => gap.toFixed(0))} ms`)
  expect(areDoubling(gaps)).toBe(true)
})

test('a server in trouble gets a budget of retries, not three for each call [A4.2]', async () => {
  await using server = await startHostileHttp('too_many_requests')
  await using test = await startTestHub({ settings })
  await test.connect({ name: 'busy', url: server.url })
  const begun = performance.now()
  const calls = Array.from({ length: 100 }, () => test.hub.callTool(toContext(), echo))
  for (const { status } of await Promise.all(calls)) expect(status).toBe('failed')
  const seconds = (performance.now() - begun) / 1_000
  const retries = callsAt(server) - 100
  console.info(`${retries} retries for 100 failing calls`)
  expect(retries).toBeLessThanOrEqual(Math.ceil(10 + 100 * 0.2 + 3 * seconds))
})

test.each([
  ['wrong_shape', 'failed'],
  ['garbage_answer', 'failed'],
  ['html_error', 'failed'],
  ['ends_without_answer', 'unknown_outcome'],
  ['cut_in_answer', 'unknown_outcome'],
] as const)(
  'a server that answers with %s gives a readable %s, and the next call works [A4.3]',
  async (mode, status) => {
    await using server = await startHostileHttp(mode, { times: 1, bytes: 20 })
    await using test = await startTestHub({ settings })
    const toolApproval = { count: 'allow' } as const
    await test.connect({ name: 'odd', url: server.url, toolApproval, timeout: 3 })
    const outcome = await test.hub.callTool(toContext(), { tool: 'count' })
    expect(outcome.status).toBe(status)
    const { error } = outcome as Extract<typeof outcome, { error: unknown }>
    expect(error.message.length).toBeGreaterThan(20)
    expect(error.message.length).toBeLessThan(3_000)
    expect(callsAt(server)).toBe(1)
    await waitFor(async () => {
      const next = await test.hub.callTool(toContext(), echo)
      return next.status === 'ok'
    })
  },
)

test('what a tool says of its own failure is told in its words [A4.3]', async () => {
  await using mall = await startMall()
  await using test = await startTestHub({ settings })
  await test.connect({ name: 'mall', url: mall.url, transport: 'sse' })
  const order = { ...getOrder, args: { orderId: 'order-9999' } }
  expect(await test.hub.callTool(toContext(), order)).toMatchObject({
    status: 'failed',
    error: { code: 'upstream_failed', message: expect.stringContaining('order-9999') },
  })
  expect(await test.hub.callTool(toContext(), getOrder)).toMatchObject({ status: 'ok' })
})

test('a JSON-RPC error is told, once, and the next call works [A4.3]', async () => {
  const { createTransport, calls, offer } = createEchoServers()
  await using test = await startTestHub({ settings, createTransport })
  offer('local', ['echo', 'refuse'])
  await test.connect({ name: 'local', command: 'none' })
  const refused = await test.hub.callTool(toContext(), { tool: 'local.refuse' })
  expect(refused).toMatchObject({
    status: 'failed',
    error: { advice: 'degrade', message: expect.stringContaining('the back end is away') },
  })
  expect(calls()).toBe(1)
  expect(await test.hub.callTool(toContext(), echo)).toMatchObject({ status: 'ok' })
})

/** The notes of a server that are only the moments at which calls came. */
function timeCallsInto(arrivals: number[]): NonNullable<Parameters<typeof startHostileHttp>[2]> {
  return {
    add(kind, value) {
      if (kind === 'received' && value === 'tools/call') arrivals.push(performance.now())
    },
    read: () => [],
  }
}

/** Whether each is its pause and less than the next one; a timer may be a millisecond early. */
function areDoubling(gaps: readonly number[]): boolean {
  const pauses = [100, 200, 400]
  return pauses.every((ms, n) => gaps[n]! >= ms - 1 && gaps[n]! < 2 * ms)
}

function callsAt(server: { notes(kind: 'received'): string[] }): number {
  return server.notes('received').filter((method) => method === 'tools/call').length
}

async function attemptsOf({ hub, admin }: TestHub): Promise<Record<string, number>> {
  await hub.audit.flush()
  const rows = await hub.audit.query(admin, { limit: 10, offset: 0 })
  const retried = rows.filter(({ tool_name }) => tool_name !== searchProducts.tool)
  return Object.fromEntries(retried.map(({ tool_name, attempts }) => [tool_name, attempts]))
}
