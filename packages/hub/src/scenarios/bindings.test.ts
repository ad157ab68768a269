import { systemClock } from '@dataagent/guard'
import { errorTable } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ToolCall } from '../call/index.ts'
import { defineTool } from '../define-tool/index.ts'
import type { ToolOutcome } from '../outcome.ts'
import type { Principal, Subject } from '../principal.ts'
import { admin, everything, startTestHub, toContext } from './test-hub.ts'
import { openLeavingStore } from './test-leaving-store.ts'
import {
  auditOf,
  faultOf,
  getOrder,
  getProduct,
  search,
  startMallHub,
  withoutIds,
} from './test-mall-hub.ts'
import { openTestStore } from './test-store.ts'

const rig = await startMallHub({ allow: [] })
const { hub, server_id } = rig
afterAll(() => rig[Symbol.asyncDispose]())

const bind = (subject: Subject, ...tools: string[]) =>
  hub.policy.setAllowList(
    admin,
    subject,
    tools.map((tool) => ({ server_id, tool })),
  )
const listOf = (principal: Partial<Principal>) =>
  hub.listTools(toContext(principal)).map(({ tool }) => tool.name)
const lamp = { keyword: 'lamp' }
const call = (principal: Partial<Principal>, tool: ToolCall['tool'], args: object = lamp) =>
  hub.callTool(toContext(principal), { tool, args: { ...args } })

beforeAll(async () => {
  await bind({ kind: 'agent', id: 'a' }, getOrder)
  await bind({ kind: 'agent', id: 'b' }, search, getProduct)
  await bind({ kind: 'api_key', id: 'key' }, search)
})

/** One whose only place is taken until `end`. */
async function startBusyHub() {
  const gate = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const run = () => {
    begun.resolve()
    return gate.promise
  }
  const tool = defineTool({ name: 'gate', description: 'Waits.', input: z.object({}), run })
  const settings = { runningCalls: 1 }
  const busy = await startMallHub({ hub: { tools: [tool], settings } })
  const running = busy.hub.callTool(toContext(), { tool: 'gate' })
  await begun.promise
  const end = async () => {
    gate.resolve('open')
    await running
  }
  return { ...busy, end }
}

describe('bindings', () => {
  test('only bound tools are listed and called, by agent_id and by api_key [A2.1]', async () => {
    expect(listOf({ agent_id: 'a' })).toEqual([getOrder])
    expect(listOf({ agent_id: 'b' }).sort()).toEqual([getProduct, search])
    expect(listOf({ api_key: 'key' })).toEqual([search])
    expect(await call({ agent_id: 'b' }, search)).toMatchObject({ status: 'ok' })
    expect(await call({ api_key: 'key' }, search)).toMatchObject({ status: 'ok' })
    const denied = { status: 'denied', error: { code: 'tool_not_allowed' } }
    expect(await call({ api_key: 'key' }, getProduct)).toMatchObject(denied)
    expect(await call({ agent_id: 'a' }, search)).toMatchObject(denied)
    expect(await rig.takeCalls()).toEqual([search, search])
  })

  test('an agent that is called through a key needs both [A2.1]', async () => {
    expect(listOf({ agent_id: 'b', api_key: 'key' })).toEqual([search])
    expect(listOf({ agent_id: 'a', api_key: 'key' })).toEqual([])
  })

  test('who is bound to nothing has nothing, and an empty list gives nothing [A2.1]', async () => {
    expect(listOf({})).toEqual([])
    expect(listOf({ agent_id: 'unknown' })).toEqual([])
    await bind({ kind: 'agent', id: 'empty' })
    expect(listOf({ agent_id: 'empty' })).toEqual([])
    expect(await call({ agent_id: 'empty' }, search)).toMatchObject({ status: 'denied' })
  })

  const turns = [
    ['a tool of our own', 'gate', {}],
    ['a tool of a server', getProduct, { productId: 'product-001' }],
  ] as const

  test.each(turns)('withdrawn while %s waits for its turn [A2.1]', async (_what, tool, args) => {
    await using busy = await startBusyHub()
    const waiting = busy.hub.callTool(toContext({ agent_id: 'c' }), { tool, args })
    await busy.hub.policy.setAllowList(admin, { kind: 'agent', id: 'c' }, [])
    await busy.end()
    expect(await waiting).toMatchObject({ status: 'denied', error: { code: 'tool_not_allowed' } })
    expect(await busy.takeCalls()).toEqual([])
  })

  test.each(turns)('%s that asks by the time of its turn is not run', async (_what, tool, args) => {
    await using busy = await startBusyHub()
    const waiting = busy.hub.callTool(toContext(), { tool, args })
    const all = { server_id: '*', tool: '*', subject: { kind: 'tenant', id: '*' } } as const
    await busy.hub.policy.addRule(admin, { ...all, tier: 'tenant', effect: 'ask' })
    await busy.end()
    expect(await waiting).toMatchObject({
      status: 'denied',
      error: { code: 'approval_required', advice: 'retry' },
    })
    expect(await busy.takeCalls()).toEqual([])
  })

  test('a binding is stored: after a new start it is the same [A2.1]', async () => {
    await using kept = await openTestStore()
    const agent = { kind: 'agent', id: 'a' } as const
    const entries = [{ server_id: 'mall', tool: getOrder }]
    {
      await using first = await startTestHub(kept.options)
      await first.hub.policy.setAllowList(admin, agent, entries)
    }
    await using second = await startTestHub(kept.options)
    expect(second.hub.policy.allowList(admin.tenant_id, agent)).toMatchObject({ entries })
  })
})

describe('agent A, bound to one tool, that calls another', () => {
  test('is refused as tool_not_allowed, whose status is 403, and reaches no server [A2.2] [T37]', async () => {
    const outcome = await call({ agent_id: 'a' }, search)
    expect(withoutIds(outcome)).toEqual({
      status: 'denied',
      error: {
        ...{ code: 'tool_not_allowed', tool_name: search, advice: 'degrade' },
        message: expect.stringContaining(search),
      },
    })
    expect(errorTable[faultOf(outcome).code].http).toBe(403)
    expect(await rig.takeCalls()).toEqual([])
  })

  test('is in the audit log and in the trace, with what decided [A2.2]', async () => {
    const outcome = await call({ agent_id: 'a' }, search)
    const row = await auditOf(hub, outcome)
    expect(row).toMatchObject({
      ...{ agent_id: 'a', user_id: 'ada', server_id, tool_name: search, status: 'denied' },
      ...{ attempts: 0, trace_id: outcome.trace_id, input_validation: 'not_reached' },
    })
    expect(row.decided_by).toBe('{"kind":"not_bound","subject":{"kind":"agent","id":"a"}}')
    const { attributes, status } = await rig.spanOf(outcome)
    expect(attributes).toMatchObject({
      ...{ 'error.type': 'tool_not_allowed', 'dataagent.status': 'denied' },
      ...{ 'gen_ai.agent.id': 'a', 'gen_ai.tool.name': search, 'user.id': 'ada' },
    })
    expect(status).toMatchObject({ code: 2 })
  })

  test('changes nothing for others [A2.2]', async () => {
    const before = [listOf({ agent_id: 'b' }), listOf({ api_key: 'key' })]
    const revision = hub.policy.allowList('acme', { kind: 'agent', id: 'b' })?.revision
    await call({ agent_id: 'a' }, search)
    expect(await call({ agent_id: 'b' }, search)).toMatchObject({
      status: 'ok',
      tool: { server_id, name: search },
    })
    expect(await rig.takeCalls()).toEqual([search])
    expect([listOf({ agent_id: 'b' }), listOf({ api_key: 'key' })]).toEqual(before)
    expect(hub.policy.allowList('acme', { kind: 'agent', id: 'b' })?.revision).toBe(revision)
  })
})

describe("a tool that is not the caller's", () => {
  const made = 'mall4j.nothing.at_all'
  const evil = { tenant_id: 'evil', user_id: 'eve', agent_id: 'a' }

  /** What it says, with the name that was asked for taken out. */
  const toWords = (outcome: ToolOutcome, asked: string) =>
    JSON.stringify(withoutIds(outcome)).replaceAll(JSON.stringify(asked).slice(1, -1), 'NAME')

  beforeAll(async () => {
    const owner = { ...admin, tenant_id: 'evil' }
    const own = [{ server_id: '*', tool: 'other' }]
    await hub.policy.setAllowList(owner, { kind: 'agent', id: 'a' }, own)
  })

  test.each([
    ["another agent's", { agent_id: 'a' }],
    ["another tenant's", evil],
    ["another tenant's, for its administrator", { ...evil, role: 'admin' as const }],
    ['for one who is bound to nothing', {}],
  ])(
    '%s: answers as one that does not exist, byte for byte [A2.3] [T37]',
    async (_what, principal) => {
      const expected = toWords(await call(principal, made), made)
      expect(expected).toContain('tool_not_allowed')
      const names = [search, `mall.${search}`, `mcp.mall.${search}`, `${server_id}/${search}`]
      const wire = hub.catalogue.get('acme', { server_id, name: search })!.wire_name
      for (const name of [...names, wire]) {
        expect(toWords(await call(principal, name), name)).toBe(expected)
        // Whether the arguments fit must not be told either.
        expect(toWords(await call(principal, name, { wrong: 1 }), name)).toBe(expected)
      }
      const ref = { server_id, name: search }
      const asked = `${server_id}/${search}`
      expect(toWords(await call(principal, ref), asked)).toBe(expected)
      expect(hub.explain(toContext(principal), search)).toBeUndefined()
      expect(await rig.takeCalls()).toEqual([])
    },
  )

  test("of another user's own server answers as one that does not exist [A2.3]", async () => {
    const config = { name: 'own', url: rig.mall.url, transport: 'sse' } as const
    const ada = toContext().principal
    const own = await hub.servers.register(ada, { scope: 'user', config })
    await hub.upstreams.refresh({ tenant_id: 'acme', server_id: own.server_id, user_id: 'ada' })
    await rig.offered(own.server_id)
    await hub.policy.setAllowList(admin, { kind: 'user', id: 'bo' }, everything)
    const bo = { user_id: 'bo' }
    const expected = toWords(await call(bo, made), made)
    for (const name of [`own.${search}`, `${own.server_id}/${search}`]) {
      expect(toWords(await call(bo, name), name)).toBe(expected)
    }
    expect(await call(bo, search)).toMatchObject({ status: 'ok', tool: { server_id } })
    expect(listOf(bo).filter((name) => name === search)).toHaveLength(1)
    await hub.servers.remove(ada, own.server_id)
  })

  test('answers so too while permissions cannot be confirmed [A2.3]', async () => {
    let skipped = 0
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skipped }
    await using leaving = await openLeavingStore()
    await using own = await startMallHub({ allow: [], hub: { store: leaving.store, clock } })
    await leaving.leave()
    skipped = 6_000
    const ask = async (tool: string) =>
      toWords(await own.hub.callTool(toContext({ agent_id: 'a' }), { tool, args: lamp }), tool)
    expect(await ask(`mall.${search}`)).toBe(await ask(made))
    expect(await ask(search)).toContain('store_unavailable')
  })

  test("leaves a row in the caller's own log that tells no more of it [A2.3]", async () => {
    const ofOthers = await call({ agent_id: 'a' }, `mall.${search}`)
    const madeUp = await call({ agent_id: 'a' }, `mall.${made}`)
    await hub.audit.flush()
    const ada = toContext().principal
    const rowOf = async ({ call_id, trace_id }: ToolOutcome) => {
      const [row] = await hub.audit.query(ada, { call_id, limit: 1, offset: 0 })
      const { span_id, started_at, ended_at, duration_ms, ...rest } = row!
      return JSON.stringify(rest).replaceAll(call_id, '').replaceAll(trace_id, '')
    }
    const told = (await rowOf(ofOthers)).replaceAll(search, made)
    expect(told).toBe(await rowOf(madeUp))
    const { call_id } = ofOthers
    const byServer = { call_id, server_id, limit: 1, offset: 0 }
    expect(await hub.audit.query(ada, byServer)).toEqual([])
    expect(await hub.audit.query(admin, byServer)).toMatchObject([{ tool_name: search }])
  })

  test('is in no list, whose length and order tell nothing of it [A2.3]', () => {
    expect(listOf(evil)).toEqual([])
    expect(listOf({ agent_id: 'a' })).toEqual([getOrder])
    expect(JSON.stringify(hub.listTools(toContext(evil)))).not.toContain('mall')
  })
})
