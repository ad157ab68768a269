import { startMall } from '@dataagent/example-mall'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Principal } from '../principal.ts'
import { admin, everything, startTestHub, type TestHub, tenant_id, toContext } from './test-hub.ts'
import { getOrder } from './test-mall-words.ts'

const auditor: Principal = { tenant_id, user_id: 'olga', role: 'auditor' }
const page = { limit: 10, offset: 0 }
const cleanup = new AsyncDisposableStack()
let rig: TestHub
let server_id: string

beforeAll(async () => {
  const mall = cleanup.use(await startMall())
  rig = cleanup.use(await startTestHub({ settings: { defaultAllow: everything } }))
  const server = await rig.connect({ name: 'mall', url: mall.url, transport: 'sse' })
  server_id = server.server_id
  await rig.hub.callTool(toContext({ user_id: 'ada' }), getOrder)
  await rig.hub.audit.flush()
})
afterAll(() => cleanup.disposeAsync())

test('an auditor reads the calls of all, as an administrator does', async () => {
  const { audit } = rig.hub
  const seen = await audit.query(auditor, page)
  expect(seen).toEqual(await audit.query(admin, page))
  expect(seen.map(({ user_id }) => user_id)).toContain('ada')
  expect(await audit.query({ ...auditor, tenant_id: 'other' }, page)).toEqual([])
})

test('an auditor reads what was changed in the tenant, and not what holds for all', async () => {
  const { audit } = rig.hub
  expect(await audit.changes(auditor, page)).toEqual(await audit.changes(admin, page))
  const platform = audit.changes(auditor, { ...page, platform: true })
  await expect(platform).rejects.toMatchObject({ code: 'forbidden' })
  const agents = { ...auditor, agent_id: 'a' }
  await expect(audit.changes(agents, page)).rejects.toMatchObject({ code: 'forbidden' })
})

test('an auditor calls no tool and is shown none, and that is recorded', async () => {
  const { hub } = rig
  expect(hub.listTools(toContext(auditor))).toEqual([])
  for (const tool of [getOrder.tool, 'made-up']) {
    const outcome = await hub.callTool(toContext(auditor), { ...getOrder, tool })
    expect(outcome).toMatchObject({ status: 'denied', error: { code: 'forbidden' } })
  }
  await hub.audit.flush()
  const mine = await hub.audit.query(auditor, { ...page, user_id: 'olga' })
  expect(mine.map(({ status, server_id }) => [status, server_id])).toEqual([
    ['denied', null],
    ['denied', null],
  ])
})

test('an auditor changes nothing', async () => {
  const { servers, policy, catalogue, signIns, approvals } = rig.hub
  const config = { name: 'own', url: 'https://mcp.example/mcp' }
  const subject = { kind: 'user', id: 'olga' } as const
  const rule = { tier: 'user', subject, server_id: '*', tool: '*', effect: 'allow' } as const
  const limit = { subject, server_id: '*', tool: '*', max_calls: 1, window_ms: 1 }
  const tool = { server_id, name: getOrder.tool }
  const attempts = [
    servers.register(auditor, { scope: 'user', config }),
    servers.register(auditor, { scope: 'tenant', config }),
    servers.update(auditor, server_id, config),
    servers.remove(auditor, server_id),
    servers.setCredential(auditor, server_id, { headers: { Authorization: 'x' } }),
    policy.setAllowList(auditor, subject, []),
    policy.addRule(auditor, rule),
    policy.addLimit(auditor, limit),
    catalogue.reject(auditor, tool, 'hash'),
    signIns.begin(auditor, server_id),
  ]
  for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  expect(() => policy.allowLists(auditor)).toThrow('administrator')
  expect(await approvals.list(auditor, page)).toEqual([])
})

test('an auditor neither sees nor decides an approval, not even one handed over to them', async () => {
  const { hub } = rig
  const asks = { tier: 'tenant', subject: { kind: 'user', id: 'bo' }, effect: 'ask' } as const
  const rule = await hub.policy.addRule(admin, { ...asks, server_id: '*', tool: '*' })
  const leaving = new AbortController()
  const bo = { ...toContext({ user_id: 'bo' }), signal: leaving.signal }
  const asked = Promise.withResolvers<string>()
  const call = hub.callTool(
    {
      ...bo,
      approver: { kind: 'wait' },
      emit: (event) => 'approval_id' in event && asked.resolve(event.approval_id),
    },
    getOrder,
  )
  const approval_id = await asked.promise
  await hub.approvals.handOver(admin, approval_id, 'olga')
  const decision = { type: 'approve', message: '' } as const
  const decided = hub.approvals.decide(auditor, approval_id, decision)
  await expect(decided).rejects.toMatchObject({ code: 'not_found' })
  await expect(hub.approvals.get(auditor, approval_id)).rejects.toMatchObject({ code: 'not_found' })
  leaving.abort()
  await call
  await hub.policy.removeRule(admin, rule.rule_id)
})

test('administrators are shown every allow-list of their tenant, and of no other', async () => {
  const { policy } = rig.hub
  const entries = [{ server_id, tool: '*' }]
  await policy.setAllowList(admin, { kind: 'agent', id: 'a' }, entries)
  await policy.setAllowList({ ...admin, tenant_id: 'other' }, { kind: 'agent', id: 'b' }, [])
  const lists = policy.allowLists(admin)
  expect(lists).toMatchObject([{ tenant_id, subject: { kind: 'agent', id: 'a' }, entries }])
})
