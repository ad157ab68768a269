import { startMall } from '@dataagent/example-mall'
import { createEgress } from '@dataagent/guard'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool/index.ts'
import { startTestHttp } from '../upstreams/test-http.ts'
import { admin, startTestHub, type TestHub, tenant_id, toContext } from './test-hub.ts'

const order = 'mall4j.order.get_detail'
const cleanup = new AsyncDisposableStack()
let rig: TestHub
let server_id: string

beforeAll(async () => {
  const mall = cleanup.use(await startMall())
  const shout = defineTool({
    name: 'shout',
    description: 'Fails in a way that nobody has thought of.',
    input: z.object({}),
    run() {
      throw new TypeError('secret of the inside')
    },
  })
  rig = cleanup.use(await startTestHub({ tools: [shout] }))
  const config = { name: 'mall', url: mall.url, transport: 'sse' } as const
  const registered = await rig.register(config)
  server_id = registered.server_id
  await rig.hub.whenOffered(registered)
  const entries = [{ server_id, tool: order }]
  await rig.hub.policy.setAllowList(admin, { kind: 'agent', id: 'a' }, entries)
})
afterAll(() => cleanup.disposeAsync())

test('to wait for a server that never comes ends with the signal', async () => {
  const signal = AbortSignal.timeout(20)
  const waiting = rig.hub.whenOffered({ tenant_id, server_id: 'nowhere' }, { signal })
  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('an administrator is told why a caller is refused; the caller is not', () => {
  const context = toContext({ agent_id: 'a' })
  const { hub } = rig
  const search = 'mall4j.product.search'
  expect(hub.explain(context, order)?.verdict.status).toBe('allow')
  expect(hub.explain(context, search)).toBeUndefined()
  expect(hub.explain(context, search, context.principal)).toBeUndefined()
  expect(hub.explain(context, search, { ...admin, tenant_id: 'other' })).toBeUndefined()
  expect(hub.explain(context, search, { ...admin, agent_id: 'b' })).toBeUndefined()
  const told = hub.explain(context, { server_id, name: search }, admin)
  expect(told).toMatchObject({
    verdict: { status: 'deny', by: { kind: 'not_bound', subject: { kind: 'agent', id: 'a' } } },
    tool: { server_id, name: search },
  })
  expect(told?.verdict.revision).toBe(hub.policy.revision)
  expect(told?.steps.filter(({ decided }) => decided)).toHaveLength(1)
  expect(hub.explain(context, 'no.such.tool', admin)).toBeUndefined()
})

test('what waits, runs and was dropped is counted when someone looks', async () => {
  const { hub } = rig
  await hub.callTool(toContext({ agent_id: 'a' }), { tool: order, args: { orderId: 'order-0001' } })
  const text = await hub.metrics.text()
  expect(text).toContain('dataagent_upstreams{state="running"} 1')
  expect(text).toMatch(/^dataagent_approvals_pending 0$/m)
  expect(text).toMatch(/^dataagent_audit_waiting \d+$/m)
  expect(text).toContain(`dataagent_tool_calls_total{server_id="${server_id}",status="ok"} 1`)
})

test('a tool of ours that throws is told by a number, and logged whole', async () => {
  const { hub, logs } = rig
  const context = toContext({ agent_id: 'b' })
  const entries = [{ server_id: 'dataagent', tool: '*' }]
  await hub.policy.setAllowList(admin, { kind: 'agent', id: 'b' }, entries)
  const outcome = await hub.callTool(context, { tool: 'shout' })
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'internal' } })
  expect(JSON.stringify(outcome)).not.toContain('secret of the inside')
  const { call_id } = outcome
  expect(logs).toContainEqual(
    expect.objectContaining({ level: 'error', call_id, tool_name: 'shout', tenant_id }),
  )
})

test.each([undefined, null, 7, {}, { server_id: 'x' }])(
  'a call of %j is refused and recorded',
  async (tool) => {
    const outcome = await rig.hub.callTool(toContext(), { tool: tool as never })
    expect(outcome).toMatchObject({ status: 'denied', error: { code: 'tool_not_allowed' } })
    await rig.hub.audit.flush()
    const [row] = await rig.hub.audit.query(admin, {
      call_id: outcome.call_id,
      limit: 1,
      offset: 0,
    })
    expect(row?.status).toBe('denied')
  },
)

test('a key that is too short is refused before anything is made', async () => {
  await expect(startTestHub({ key: new Uint8Array(31) })).rejects.toMatchObject({
    code: 'config_invalid',
  })
})

test('to wait for a server whose address is refused ends with why', async () => {
  await using test = await startTestHub({
    egressFor: () => createEgress({ policy: { mode: 'public' } }),
  })
  const server = await test.register({ name: 'inner', url: 'http://169.254.169.254/mcp' })
  await expect(test.hub.whenOffered(server)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Ask an administrator to allow the address.'),
  })
  await expect(test.hub.whenOffered(server)).rejects.toMatchObject({ code: 'unavailable' })
})

test('to wait for a server that is not there yet goes on until it is', async () => {
  await using http = await startTestHttp()
  await http.kill()
  await using test = await startTestHub()
  const server = await test.register({ name: 'late', url: http.url('a'), transport: 'http' })
  const waiting = test.hub.whenOffered(server)
  await waitFor(() => test.hub.upstreams.health(tenant_id, server.server_id)[0]?.status === 'error')
  await http.comeBack()
  await waiting
})
