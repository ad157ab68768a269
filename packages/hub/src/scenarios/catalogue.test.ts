import { join } from 'node:path'
import { startMall } from '@dataagent/example-mall'
import { readJson } from '@dataagent/schema'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { afterAll, expect, test } from 'vitest'
import { everything, startTestHub, tenant_id, toContext } from './test-hub.ts'
import { getOrder } from './test-mall-hub.ts'
import { startTellingServer } from './test-telling-server.ts'

const settings = { defaultAllow: everything }

const cleanup = new AsyncDisposableStack()
const dir = cleanup.use(await temporaryDirectory())
const sql = cleanup.use(openSql({ url: `sqlite:${join(dir.path, 'hub.db')}` }))
await sql.migrate()
const store = sql.hub
afterAll(() => cleanup.disposeAsync())

test('tools are pulled at the handshake, kept in memory and in mcp_tools [A1.2]', async () => {
  await using mall = await startMall()
  await using rig = await startTestHub({ store, settings })
  const { server_id } = await rig.connect({ name: 'mall', url: mall.url, transport: 'sse' })
  const inMemory = rig.hub.catalogue.ofServer(tenant_id, server_id)
  expect(inMemory).toHaveLength(8)
  const stored = await store.tools.list(tenant_id, server_id)
  expect(stored).toHaveLength(8)
  for (const { tool } of inMemory) {
    const row = stored.find(({ name }) => name === tool.name)!
    expect(row).toMatchObject({ state: 'active', version: 1, hash: tool.hash })
    expect(readJson(row.definition)).toEqual(tool.definition)
    const { name, description, inputSchema, outputSchema } = tool.definition
    expect({ name, description }).toEqual({ name: tool.name, description: expect.any(String) })
    expect([inputSchema, outputSchema]).toMatchObject([{ type: 'object' }, { type: 'object' }])
  }
  const order = stored.find(({ name }) => name === getOrder)!
  expect(readJson(order.definition)).toMatchObject({
    inputSchema: { required: ['orderId'], properties: { orderId: { type: 'string' } } },
    outputSchema: { properties: { total: { type: 'number' } } },
  })
})

test('tools are all there, however many pages they come in [A1.2]', async () => {
  await using paged = await startTellingServer({ tools: 103, perPage: 10 })
  await using rig = await startTestHub({ store, settings })
  const { server_id } = await rig.connect({ name: 'paged', url: paged.url })
  const names = rig.hub.catalogue.ofServer(tenant_id, server_id).map(({ tool }) => tool.name)
  expect(names).toHaveLength(103)
  expect(names.at(-1)).toBe('tool_102')
  const stored = await store.tools.list(tenant_id, server_id)
  expect(stored.map(({ name }) => name).sort()).toEqual(names.toSorted())
  const last = await rig.hub.callTool(toContext(), { tool: 'tool_102' })
  expect(last).toMatchObject({ status: 'ok' })
})

test('list_changed makes a new version with its own hash [A1.6]', async () => {
  await using mall = await startMall({ tools: [getOrder] })
  await using rig = await startTestHub({ settings })
  const { catalogue } = rig.hub
  const config = { name: 'mall', url: mall.url, transport: 'sse', pinning: 'follow' } as const
  const { server_id } = await rig.connect(config)
  const ref = { server_id, name: getOrder }
  await mall.changeTool(getOrder, { description: 'One order.' })
  await waitFor(() => catalogue.get(tenant_id, ref)?.tool.version === 2)
  await mall.changeTool(getOrder, { inputSchema: { type: 'object' } })
  await waitFor(() => catalogue.get(tenant_id, ref)?.tool.version === 3)
  const versions = await catalogue.versions(tenant_id, ref)
  expect(versions.map(({ version }) => version)).toEqual([1, 2, 3])
  expect(new Set(versions.map(({ hash }) => hash)).size).toBe(3)
  const outcome = await rig.hub.callTool(toContext(), {
    ...{ tool: getOrder, args: { orderId: 'order-0042' } },
  })
  expect(outcome).toMatchObject({ status: 'ok', tool: { version: 3, hash: versions[2]?.hash } })
})

test('a manual refresh does, for a server that tells nobody of its changes [A1.6]', async () => {
  await using quiet = await startTellingServer()
  await using rig = await startTestHub({ settings })
  const { catalogue, upstreams } = rig.hub
  const { server_id } = await rig.connect({ name: 'quiet', url: quiet.url, pinning: 'follow' })
  const tell = () => catalogue.get(tenant_id, { server_id, name: 'tell' })!.tool
  const before = tell()
  quiet.description = 'Tells even more.'
  await upstreams.refresh({ tenant_id, server_id, user_id: null })
  expect(quiet.lists).toBe(2)
  expect(tell()).toMatchObject({ version: 2, definition: { description: 'Tells even more.' } })
  expect(tell().hash).not.toBe(before.hash)
  await upstreams.refresh({ tenant_id, server_id, user_id: null })
  expect(tell().version).toBe(2)
})

test('of a server with more tools than it may have the first are listed, and its owner is told', async () => {
  await using mall = await startMall()
  await using rig = await startTestHub({
    settings: { ...settings, upstreams: { toolsPerServer: 3 } },
  })
  const { server_id } = await rig.connect({ name: 'mall', url: mall.url, transport: 'sse' })
  expect(rig.hub.catalogue.ofServer(tenant_id, server_id)).toHaveLength(3)
  const told = 'It has more than 3 tools: the first are listed'
  expect(rig.hub.upstreams.health(tenant_id, server_id)).toMatchObject([
    { status: 'running', message: expect.stringContaining(told) },
  ])
  const lines = rig.logs.filter(({ level }) => level === 'warn').map(({ message }) => message)
  expect(lines.join('\n')).toContain('mcp_tools_per_server')
})

test('tools that come and go are listed and not listed [A1.6]', async () => {
  await using mall = await startMall({ tools: [getOrder] })
  await using rig = await startTestHub({ settings })
  for (const pinning of ['pin', 'warn'] as const) {
    await rig.connect({ name: pinning, url: mall.url, transport: 'sse', pinning })
  }
  const listed = () => rig.hub.listTools(toContext()).filter(({ own }) => own === undefined)
  expect(listed()).toHaveLength(2)
  await mall.offerTools('all')
  await waitFor(() => listed().length === 9)
  // Those that a pinned server adds are in the catalogue, and wait.
  await waitFor(() => rig.hub.catalogue.ofServer(tenant_id, 'pin').length === 8)
  expect(await rig.hub.catalogue.pending(tenant_id)).toHaveLength(7)
  await mall.offerTools([getOrder])
  await waitFor(() => listed().length === 2)
})
