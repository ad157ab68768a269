import { startMall } from '@dataagent/example-mall'
import { createFakeClock, hostileServerCommand, longCount, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createEchoServers } from './test-echo-servers.ts'
import { everything, startTestHub, toContext } from './test-hub.ts'
import { addNote, getOrder, searchProducts } from './test-mall-words.ts'

const settings = { defaultAllow: everything }
const never = 60_000

test('a tool that is over its own limit times out, and its server is told to stop [A4.1]', async () => {
  await using mall = await startMall({ delay: { [getOrder.tool]: never } })
  await using test = await startTestHub({ settings })
  const toolTimeouts = { 'mall4j.order.*': 0.5 }
  await test.connect({ name: 'mall', url: mall.url, transport: 'sse', toolTimeouts })
  const outcome = await test.hub.callTool(toContext(), getOrder)
  expect(outcome).toMatchObject({
    status: 'timeout',
    error: { code: 'timeout', advice: 'retry', message: expect.stringContaining('tried again') },
  })
  expect(outcome.duration_ms).toBeGreaterThanOrEqual(490)
  expect(outcome.duration_ms).toBeLessThan(5_000)
  await waitFor(async () => (await mall.calls())[0]?.status === 'cancelled')
  expect(await test.hub.callTool(toContext(), searchProducts)).toMatchObject({ status: 'ok' })
})

test('one that may have had an effect is not advised to be repeated [A4.1]', async () => {
  await using mall = await startMall({ delay: { [addNote.tool]: never } })
  await using test = await startTestHub({ settings })
  const toolTimeouts = { [addNote.tool]: 0.5 }
  await test.connect({ name: 'mall', url: mall.url, transport: 'sse', toolTimeouts })
  expect(await test.hub.callTool(toContext(), addNote)).toMatchObject({
    status: 'timeout',
    error: { advice: 'degrade', message: expect.stringContaining('do not repeat it') },
  })
  await waitFor(async () => (await mall.calls())[0]?.status === 'cancelled')
  expect(await mall.calls()).toHaveLength(1)
})

test.each(['sse', 'http'] as const)(
  "a server's own limit holds over %s, and a caller may only shorten it [A4.1]",
  async (transport) => {
    await using mall = await startMall({ transport, delay: { [getOrder.tool]: never } })
    await using test = await startTestHub({ settings })
    await test.connect({ name: 'mall', transport, url: mall.url, timeout: 1 })
    const call = (timeout_ms?: number) =>
      test.hub.callTool(toContext(), { ...getOrder, timeout_ms })
    const [byServer, shortened, lengthened] = await Promise.all([call(), call(200), call(never)])
    expect([byServer, shortened, lengthened].map(({ status }) => status)).toEqual([
      'timeout',
      'timeout',
      'timeout',
    ])
    expect(byServer.duration_ms).toBeGreaterThanOrEqual(990)
    expect(shortened.duration_ms).toBeLessThan(byServer.duration_ms)
    expect(lengthened.duration_ms).toBeLessThan(10_000)
  },
)

test('a limit that is changed holds for the next call, and nothing is away meanwhile [A4.1]', async () => {
  await using mall = await startMall({ delay: { [getOrder.tool]: never } })
  await using test = await startTestHub({ settings })
  const config = { name: 'mall', transport: 'sse', url: mall.url } as const
  await test.connect(config)
  await test.hub.servers.update(test.admin, 'mall', { ...config, timeout: 1 })
  expect(await test.hub.callTool(toContext(), searchProducts)).toMatchObject({ status: 'ok' })
  expect(await test.hub.callTool(toContext(), getOrder)).toMatchObject({ status: 'timeout' })
})

test('a stdio server that is slow is told to stop, and goes on [A4.1]', async () => {
  await using slow = await hostileServerCommand('none')
  await using test = await startTestHub({ settings })
  const { command, args } = slow
  await test.connect({ name: 'slow', command, args: [...args], toolTimeouts: { slow: 0.3 } })
  const outcome = await test.hub.callTool(toContext(), { tool: 'slow', args: { ms: never } })
  expect(outcome).toMatchObject({ status: 'timeout', error: { advice: 'retry' } })
  await waitFor(() => slow.notes('cancelled').includes('notification'))
  const echo = { tool: 'echo', args: { message: 'still here' } }
  expect(await test.hub.callTool(toContext(), echo)).toMatchObject({ status: 'ok' })
  expect(slow.notes('start')).toHaveLength(1)
})

const limits = [
  { whose: 'its tool', config: { timeout: 20, toolTimeouts: { hang: 5 } }, ms: 5_000 },
  { whose: 'its server', config: { timeout: 5 }, ms: 5_000 },
  { whose: 'nobody but the default', config: {}, ms: 30_000 },
]

test.each(limits)(
  'a call with the limit of $whose waits $ms ms and no more [A4.1]',
  async (limit) => {
    const { config, ms } = limit
    const clock = createFakeClock({ now: Date.now() })
    const { createTransport, hanging } = createEchoServers()
    await using test = await startTestHub({ settings, clock, createTransport })
    await test.connect({ name: 'local', command: 'none', ...config })
    let isOver = false
    const call = test.hub.callTool(toContext(), { tool: 'local.hang' })
    const over = call.finally(() => (isOver = true))
    await waitFor(() => hanging() === 1)
    await clock.advanceAsync(ms - 1)
    expect({ isOver, hanging: hanging() }).toEqual({ isOver: false, hanging: 1 })
    await clock.advanceAsync(1)
    expect(await over).toMatchObject({
      status: 'timeout',
      duration_ms: ms,
      error: { code: 'timeout', advice: 'degrade' },
    })
    await waitFor(() => hanging() === 0)
  },
)

const seconds = longCount(1, 5)

test(`a tool of ${seconds} s is given up after ${seconds} s [A4.1]`, async () => {
  await using mall = await startMall({ delay: { [getOrder.tool]: never } })
  await using test = await startTestHub({ settings })
  const toolTimeouts = { [getOrder.tool]: seconds }
  await test.connect({ name: 'mall', url: mall.url, transport: 'sse', toolTimeouts })
  const outcome = await test.hub.callTool(toContext(), getOrder)
  expect(outcome).toMatchObject({ status: 'timeout', error: { advice: 'retry' } })
  expect(outcome.duration_ms).toBeGreaterThanOrEqual(seconds * 1_000 - 1)
  expect(outcome.duration_ms).toBeLessThan(seconds * 5_000)
  await waitFor(async () => (await mall.calls())[0]?.status === 'cancelled')
})
