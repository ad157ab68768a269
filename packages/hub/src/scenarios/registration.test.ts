import { fileURLToPath } from 'node:url'
import { mallCommand, startMall } from '@dataagent/example-mall'
import { createEgress } from '@dataagent/guard'
import type { ServerConfigInput } from '@dataagent/schema'
import {
  captureOutput,
  createCanary,
  expectNoCanary,
  startOtlpReceiver,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import type { ToolOutcome } from '../outcome.ts'
import { toServerInfo } from '../servers/index.ts'
import { createTracer } from '../tracing/index.ts'
import { startForwardProxy } from './test-forward-proxy.ts'
import { admin, everything, startTestHub, tenant_id, toContext } from './test-hub.ts'
import { getOrder, search } from './test-mall-hub.ts'
import { startTellingServer } from './test-telling-server.ts'

const token = 'token-of-the-mall'
const fields = {
  ...{ alias: 'shop', description: 'Orders and products', timeout: 20, maxRetries: 1 },
  ...{ trigger_keywords: ['order'], healthEvery: 5, toolTimeouts: { [search]: 0.2 } },
  ...{ blockedTools: ['mall4j.report.*'], idempotentTools: [getOrder], maxTools: 6 },
}
const args = { orderId: 'order-0042' }

const rig = await startTestHub({ settings: { defaultAllow: everything } })
const { hub } = rig
afterAll(() => rig[Symbol.asyncDispose]())

/** What starts or reaches a server. */
type Way<C> = C extends ServerConfigInput ? Omit<C, 'name'> : never

/** Registers it with every field, under its own id; then it is there to be called. */
async function connectWithAll(way: Way<ServerConfigInput>, server_id: string) {
  const name = `${server_id} of ours`
  const config = { ...fields, name, alias: server_id, ...way }
  const server = await rig.connect(config, server_id)
  expect(server).toMatchObject({
    server_id,
    user_id: null,
    config: { ...fields, alias: server_id },
  })
  const outcome = await hub.callTool(toContext(), { tool: `${server_id}.${getOrder}`, args })
  expect(outcome).toMatchObject({ status: 'ok', tool: { server_id, name: getOrder } })
  const offered = hub.catalogue.ofServer(tenant_id, server_id)
  expect(offered.filter(({ offer }) => offer.status === 'offered')).toHaveLength(6)
  return server
}

describe('an administrator registers a server with every field', () => {
  test.each(['sse', 'http'] as const)('over %s it is connected and called [A1.1]', async (way) => {
    await using mall = await startMall({ transport: way, token, delay: { [search]: 60_000 } })
    const headers = { Authorization: `Bearer ${token}` }
    await connectWithAll({ transport: way, url: mall.url, headers }, `by-${way}`)
    const slow = { tool: `by-${way}.${search}`, args: { keyword: 'lamp' } }
    expect(await hub.callTool(toContext(), slow)).toMatchObject({ status: 'timeout' })
    await hub.servers.remove(admin, `by-${way}`)
  })

  test('over stdio it is started and called [A1.1]', async () => {
    const way = { transport: 'stdio', ...mallCommand(), cwd: rig.dir, env: { MALL: '1' } } as const
    await connectWithAll(way, 'by-stdio')
    await hub.servers.remove(admin, 'by-stdio')
  })

  test.each(['sse', 'http'] as const)('through its proxy over %s [A1.1]', async (way) => {
    await using mall = await startMall({ transport: way, token })
    await using proxy = await startForwardProxy('open-sesame')
    const headers = { Authorization: `Bearer ${token}` }
    const remote = { transport: way, url: mall.url, headers, proxy: proxy.url }
    await connectWithAll(remote, `proxied-${way}`)
    expect(proxy.asked.length).toBeGreaterThan(0)
    expect(proxy.asked.every((url) => url.includes(`127.0.0.1:${mall.port}`))).toBe(true)
    await hub.servers.remove(admin, `proxied-${way}`)
  })

  test('without the token it is in error, and its tools are not offered [A1.1]', async () => {
    await using mall = await startMall({ token })
    const { server_id } = await rig.register({ name: 'shut', url: mall.url, transport: 'sse' })
    const status = () => hub.upstreams.health(tenant_id, server_id)[0]?.status
    await waitFor(() => status() === 'error')
    expect(hub.catalogue.ofServer(tenant_id, server_id)).toEqual([])
    await hub.servers.remove(admin, server_id)
  })

  test('a user may not', async () => {
    const config = { name: 'mine', url: 'http://127.0.0.1:1' }
    const registered = hub.servers.register(toContext().principal, { scope: 'tenant', config })
    await expect(registered).rejects.toMatchObject({ code: 'forbidden' })
  })
})

test('a secret is in no list, log, trace, error, answer, audit row or file [A1.5] [T8]', async () => {
  using output = captureOutput()
  const canary = createCanary('header')
  const proxyCanary = createCanary('proxy')
  await using telling = await startTellingServer()
  await using proxy = await startForwardProxy(proxyCanary.marker)
  await using receiver = await startOtlpReceiver()
  await using egress = createEgress({ policy: { mode: 'any' } })
  const tracer = createTracer({ endpoint: receiver.url, egress, serviceName: 'hub' })
  const settings = { defaultAllow: everything, recordArgs: true }
  await using own = await startTestHub({ tracer, settings })
  const headers = { Authorization: canary.header, 'X-Key': canary.apiKey }
  const server = await own.connect({
    ...{ name: 'telling', url: telling.url, headers, proxy: proxy.url, maxRetries: 0 },
  })

  const outcomes: ToolOutcome[] = []
  for (const tool of ['tell', 'fail', 'refuse', 'break']) {
    outcomes.push(await own.hub.callTool(toContext(), { tool, args: { text: canary.apiKey } }))
  }
  expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'failed', 'failed', 'failed'])
  // What it was sent has come back, without what is secret.
  expect(outcomes[0]).toMatchObject({ result: { text: expect.stringContaining('"x-key"') } })
  const tested = await own.hub.upstreams.test(server)
  telling.status = 401
  outcomes.push(await own.hub.callTool(toContext(), { tool: 'tell' }))
  await own.offered(server.server_id, false)
  const health = own.hub.upstreams.health(tenant_id, server.server_id)
  await own.hub.audit.flush()
  await tracer.flush()
  const rows = await own.hub.audit.query(admin, { limit: 10, offset: 0 })
  expect(rows).toHaveLength(5)
  expect(rows.at(-1)?.args).toContain('text')

  const listed = own.hub.servers.visibleTo(admin)
  const [state] = health
  await expectNoCanary(
    [canary, proxyCanary],
    [
      { name: 'list', object: listed.map((one) => toServerInfo(one, state)) },
      { name: 'registry as JSON', text: JSON.stringify(listed) },
      { name: 'tools', object: own.hub.listTools(toContext()).map(({ tool }) => tool) },
      { name: 'health', object: health },
      { name: 'connection test', object: tested },
      { name: 'answers', object: outcomes },
      { name: 'log', object: own.logs },
      { name: 'audit', object: rows },
      { name: 'spans', object: receiver.requests },
      { name: 'metrics', text: await own.hub.metrics.text() },
      { name: 'standard streams', text: output.text() },
      { directory: own.dir },
    ],
  )
})

test('a secret of an environment is in no log, answer, audit row or file [A1.5]', async () => {
  const canary = createCanary('environment')
  const program = fileURLToPath(new URL('./test-telling-process.ts', import.meta.url))
  const settings = { defaultAllow: everything, recordArgs: true }
  await using own = await startTestHub({ settings })
  const { server_id } = await own.connect({
    ...{ name: 'telling', command: process.execPath, args: [program], maxRetries: 0 },
    env: { API_KEY: canary.apiKey, PASSWORD: canary.password },
  })
  const outcomes: ToolOutcome[] = []
  for (const tool of ['tell', 'refuse'])
    outcomes.push(await own.hub.callTool(toContext(), { tool }))
  expect(outcomes).toMatchObject([
    { status: 'ok', result: { text: expect.stringContaining('"API_KEY"') } },
    { status: 'failed' },
  ])
  const tested = await own.hub.upstreams.test(own.hub.servers.get(tenant_id, server_id)!)
  expect(tested.log?.join()).toContain('API_KEY')
  await own.hub.audit.flush()
  await expectNoCanary(
    [canary],
    [
      { name: 'answers', object: outcomes },
      { name: 'connection test', object: tested },
      { name: 'log', object: own.logs },
      { name: 'audit', object: await own.hub.audit.query(admin, { limit: 10, offset: 0 }) },
      { directory: own.dir },
    ],
  )
})
