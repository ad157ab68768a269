import { createCanary, expectNoCanary } from '@dataagent/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import type { ChangeQuery } from '../changes/index.ts'
import type { Principal } from '../principal.ts'
import { askFor, no, yes } from './test-asking.ts'
import { admin, everything, tenant_id, toContext } from './test-hub.ts'
import { approveTool, cancelOrder, getOrder, pendingOf, startMallHub } from './test-mall-hub.ts'

const platformAdmin: Principal = { tenant_id, user_id: 'pia', role: 'platform_admin' }
const ada = toContext().principal

const rig = await startMallHub()
const { hub, mall, server_id } = rig
afterAll(() => rig[Symbol.asyncDispose]())

const changes = (query: Partial<ChangeQuery> = {}, by = admin) =>
  hub.audit.changes(by, { limit: 100, offset: 0, ...query })

/** Oldest first: what was done, to what it was and is. */
async function storyOf(target: string) {
  const rows = await changes({ target })
  return rows.toReversed().map(({ action, before, after }) => ({
    action,
    before: before && JSON.parse(before),
    after: after && JSON.parse(after),
  }))
}

describe('what was changed, by whom, is there for administrators', () => {
  test('a server that is added, changed, switched off and on, and removed', async () => {
    const canary = createCanary('changed')
    const config = {
      url: 'https://mcp.example/mcp?api_key=k-0123456789',
      disabled: false,
    }
    const headers = { authorization: canary.header, 'x-tenant': 'one' }
    const added = await rig.register({ name: 'shop', ...config, headers }, 'shop')
    const update = (fields: object) => hub.servers.update(admin, 'shop', { ...config, ...fields })
    await update({ headers: { ...headers, 'x-tenant': 'two' }, timeout: 9 })
    await update({ disabled: true })
    await update({})
    await hub.servers.remove(admin, 'shop')
    const story = await storyOf('shop')
    expect(story.map(({ action }) => action)).toEqual([
      ...['added', 'changed', 'disabled', 'enabled', 'removed'],
    ])
    expect(story[0]?.after).toMatchObject({ sealed: 'headers.authorization, headers.x-tenant' })
    expect(story[1]).toMatchObject({
      before: { timeout: 30 },
      after: { timeout: 9, sealed_anew: 'headers.x-tenant' },
    })
    expect(story[4]).toMatchObject({ before: { name: 'shop', sealed: '' }, after: null })
    const rows = await changes({ target: 'shop' })
    expect(rows.at(-1)).toMatchObject({
      ...{ kind: 'server', tenant_id, by_tenant: tenant_id, user_id: 'root', role: 'admin' },
      revision: added.revision,
    })
    expect(rows.every(({ revision }, n) => n === 0 || revision! < rows[n - 1]!.revision!)).toBe(
      true,
    )
    await expectNoCanary([canary], [{ name: 'changes', object: rows }])
    expect(JSON.stringify(rows)).not.toContain('k-0123456789')
  })

  test("a user's own credential, without the credential", async () => {
    const canary = createCanary('own')
    const config = { name: 'crm', url: 'https://crm.example/mcp', credentials: 'user' } as const
    await rig.register({ ...config, disabled: true }, 'crm')
    await hub.servers.setCredential(ada, 'crm', { headers: { authorization: canary.header } })
    await hub.servers.removeCredential(ada, 'crm')
    const rows = await changes({ kind: 'credential' })
    expect(rows.map(({ action, user_id, target }) => [action, user_id, target])).toEqual([
      ['removed', 'ada', 'crm/ada'],
      ['changed', 'ada', 'crm/ada'],
    ])
    expect(rows[1]?.after).toContain('authorization')
    await expectNoCanary([canary], [{ name: 'changes', object: rows }])
  })

  test('a definition that is approved, and one that is rejected', async () => {
    await mall.changeTool(getOrder, { description: 'Another one.' })
    await approveTool(rig, getOrder)
    await mall.changeTool(getOrder, { description: 'A third one.' })
    const { pending } = await pendingOf(rig, getOrder)
    await hub.catalogue.reject(admin, { server_id, name: getOrder }, pending.hash)
    expect(await storyOf(`${server_id}/${getOrder}`)).toMatchObject([
      { action: 'approved', before: { state: 'pending' }, after: { state: 'active' } },
      { action: 'rejected', after: { state: 'rejected', pending_version: pending.version } },
    ])
  })

  test('bindings, groups, rules and limits that are set and dropped', async () => {
    const { policy } = hub
    const group = { kind: 'group', id: 'g1' } as const
    await policy.setAllowList(admin, group, everything)
    await policy.setAllowList(admin, group, [])
    await policy.clearAllowList(admin, { kind: 'agent', id: 'nobody' })
    const everyone = { kind: 'tenant', id: '*' } as const
    const about = { subject: everyone, server_id, tool: 'x.*' }
    const rule = await policy.addRule(admin, { ...about, tier: 'tenant', effect: 'deny' })
    await policy.removeRule(admin, rule.rule_id)
    const limit = await policy.addLimit(admin, { ...about, max_calls: 9, window_ms: 1_000 })
    await policy.removeLimit(admin, limit.limit_id)
    expect(await storyOf('group:g1')).toEqual([
      { action: 'added', before: null, after: everything },
      { action: 'changed', before: everything, after: [] },
    ])
    expect(await storyOf('agent:nobody')).toEqual([])
    expect(await storyOf(rule.rule_id)).toMatchObject([
      { action: 'added', before: null, after: { effect: 'deny', tool: 'x.*' } },
      { action: 'removed', before: { effect: 'deny', tool: 'x.*' }, after: null },
    ])
    expect(await storyOf(limit.limit_id)).toMatchObject([
      { action: 'added', after: { max_calls: 9 } },
      { action: 'removed', before: { max_calls: 9 } },
    ])
    const [removed] = await changes({ target: rule.rule_id })
    expect(removed).toMatchObject({ kind: 'rule', user_id: 'root', revision: expect.any(Number) })
    expect(removed!.revision).toBeGreaterThan(rule.revision)
  })

  test('an approval that is handed over and decided', async () => {
    const context = toContext({}, { approver: { kind: 'wait' } })
    const ask = (orderId: string) => askFor(hub, context, { tool: cancelOrder, args: { orderId } })
    const first = await ask('order-0001')
    await hub.approvals.handOver(ada, first.approval_id, 'bo')
    const bo = { ...ada, user_id: 'bo' }
    await hub.approvals.decide(bo, first.approval_id, no('not today'))
    const second = await ask('order-0002')
    await hub.approvals.decide(admin, second.approval_id, yes)
    await Promise.all([first.outcome, second.outcome])
    expect(await storyOf(first.approval_id)).toMatchObject([
      { action: 'handed_over', before: { assignee: null }, after: { assignee: 'bo' } },
      { action: 'rejected', after: { tool_name: cancelOrder, message: 'not today' } },
    ])
    expect(await changes({ target: first.approval_id, user_id: 'bo' })).toHaveLength(1)
    expect(await storyOf(second.approval_id)).toMatchObject([{ action: 'approved' }])
  })
})

describe('nobody else sees them', () => {
  test('not a user, nor an agent of an administrator, nor another tenant', async () => {
    const forbidden = { code: 'forbidden' }
    await expect(changes({}, ada)).rejects.toMatchObject(forbidden)
    const agent: Principal = { ...admin, agent_id: 'support' }
    await expect(changes({}, agent)).rejects.toMatchObject(forbidden)
    expect(await changes({}, { ...admin, tenant_id: 'other' })).toEqual([])
  })

  test('what holds for all tenants is for platform administrators', async () => {
    const config = { name: 'shared', url: 'https://shared.example/mcp', disabled: true }
    await hub.servers.register(platformAdmin, { scope: 'platform', config })
    expect(await changes({ platform: true }, platformAdmin)).toMatchObject([
      { tenant_id: '*', target: 'shared', by_tenant: tenant_id, user_id: 'pia' },
    ])
    expect(await changes({ target: 'shared' })).toEqual([])
    await expect(changes({ platform: true })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
