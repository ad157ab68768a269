import { AppError, readJson } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Approver } from '../call-context.ts'
import type { Principal } from '../principal.ts'
import { askFor, no, yes } from './test-asking.ts'
import { admin, tenant_id, toContext } from './test-hub.ts'
import { openLeavingStore } from './test-leaving-store.ts'
import {
  addNote,
  approveTool,
  auditOf,
  cancelOrder,
  faultOf,
  getOrder,
  startMallHub,
} from './test-mall-hub.ts'

/** One call at a time may run: one that waits for a person must not be it. */
const rig = await startMallHub({ hub: { settings: { runningCalls: 1 } } })
const { hub, mall, server_id } = rig
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => mall.forgetCalls())

const ada = toContext().principal
const wait: Approver = { kind: 'wait' }
const hold: Approver = { kind: 'hold', holdMs: 20 }
const tool = { server_id, name: cancelOrder }
const orders = await findOpenOrders()

/** A call that nobody has made yet. */
const aCall = () => ({ tool, args: { orderId: orders.pop()! } })
const withApprover = (approver: Approver, principal: Partial<Principal> = {}, more = {}) =>
  toContext(principal, { approver, ...more })

async function findOpenOrders(): Promise<string[]> {
  const args = { status: 'paid', limit: 100 }
  const listed = await hub.callTool(toContext(), { tool: 'mall4j.order.list', args })
  if (listed.status !== 'ok') throw new Error('no orders')
  const found = listed.result.raw.structuredContent as { orders: { orderId: string }[] }
  return found.orders.map(({ orderId }) => orderId)
}

describe('a destructive tool', () => {
  test('is refused where nobody can be asked, and names the setting', async () => {
    const outcome = await hub.callTool(toContext(), aCall())
    expect(outcome).toMatchObject({
      status: 'denied',
      error: { code: 'approval_required', message: expect.stringContaining('"toolApproval"') },
    })
    expect(outcome).toMatchObject({
      error: { message: expect.stringContaining('its server says that it is destructive') },
    })
    expect(await rig.takeCalls()).toEqual([])
    expect(await hub.approvals.list(admin, { limit: 10, offset: 0 })).toEqual([])
  })

  test('waits, and runs once when it is approved', async () => {
    const call = aCall()
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), call)
    expect(await hub.approvals.get(ada, approval_id)).toMatchObject({
      ...{ status: 'pending', tool_name: cancelOrder, server_id, user_id: 'ada' },
      action_request: {
        name: cancelOrder,
        args: call.args,
        annotations: { destructiveHint: true },
      },
    })
    expect(await rig.takeCalls()).toEqual([])
    await hub.approvals.decide(ada, approval_id, yes)
    const ended = await outcome
    expect(ended).toMatchObject({ status: 'ok' })
    expect(await rig.takeCalls()).toEqual([cancelOrder])
    expect(await auditOf(hub, ended)).toMatchObject({ status: 'ok', approval_id })
    const { used_at } = (await hub.approvals.get(ada, approval_id)) as { used_at: number }
    expect(used_at).toBeGreaterThan(0)
  })

  test('that is rejected ends with the words of the person, and is not asked again', async () => {
    const call = aCall()
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), call)
    await hub.approvals.decide(admin, approval_id, no('this customer is on the phone'))
    const rejected = {
      status: 'rejected',
      error: {
        ...{ code: 'approval_rejected', approval_id, advice: 'give_up' },
        message: expect.stringContaining('this customer is on the phone'),
      },
    }
    expect(await outcome).toMatchObject(rejected)
    expect(await hub.callTool(withApprover(wait), call)).toMatchObject(rejected)
    expect(await rig.takeCalls()).toEqual([])
  })

  test('that nobody decides in time is rejected, and asked again under its id', async () => {
    const call = aCall()
    const short = withApprover({ kind: 'wait', timeoutMs: 30 })
    const { approval_id, outcome } = await askFor(hub, short, call)
    expect(await outcome).toMatchObject({
      status: 'rejected',
      error: { code: 'approval_rejected', advice: 'ask_user', approval_id },
    })
    const again = await askFor(hub, withApprover(wait), call)
    expect(again.approval_id).toBe(approval_id)
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await again.outcome).toMatchObject({ status: 'ok' })
    expect(await rig.takeCalls()).toEqual([cancelOrder])
  })

  test('is approved by a setting where that is said, and the audit names it', async () => {
    const auto = withApprover({ kind: 'auto', setting: 'auto_approve' })
    const outcome = await hub.callTool(auto, aCall())
    expect(outcome).toMatchObject({ status: 'ok' })
    const { decided_by, approval_id } = await auditOf(hub, outcome)
    expect(readJson(decided_by!)).toEqual({
      ...{ kind: 'default', why: 'destructive_annotation', approved_by: 'auto_approve' },
    })
    expect(approval_id).toBeNull()
  })

  test('waits for a person where the setting leaves harm to one; other calls do not', async () => {
    const auto = withApprover({ kind: 'auto', setting: 'auto_approve', harmful: wait })
    const { approval_id, outcome } = await askFor(hub, auto, aCall())
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({ status: 'ok' })
    const alone = { kind: 'auto', setting: 'auto_approve', harmful: { kind: 'nobody' } } as const
    expect(await hub.callTool(withApprover(alone), aCall())).toMatchObject({
      ...{ status: 'denied', error: { code: 'approval_required' } },
    })
    const rule = { tier: 'tenant', subject: { kind: 'tenant', id: '*' }, effect: 'ask' } as const
    const { rule_id } = await hub.policy.addRule(admin, { ...rule, server_id, tool: getOrder })
    const read = { tool: { server_id, name: getOrder }, args: { orderId: orders[0]! } }
    const run = (untrusted: string[]) => ({ run: { run_id: 'r', untrusted: new Set(untrusted) } })
    const statusAfter = async (untrusted: string[]) =>
      (await hub.callTool(withApprover(alone, {}, run(untrusted)), read)).status
    expect(await statusAfter([])).toBe('ok')
    expect(await statusAfter(['of-a-user'])).toBe('denied')
    await hub.policy.removeRule(admin, rule_id)
  })

  test('that was approved and never begun is made by the run that goes on with it [D3.4] [F17]', async () => {
    const call = { ...aCall(), tool_call_id: 'c1' }
    const run = { run_id: 'r1', untrusted: new Set<string>() }
    const dies = new AppError('unavailable', 'the process dies here')
    const dying = withApprover(wait, {}, { run, recordStart: () => Promise.reject(dies) })
    const { approval_id, outcome } = await askFor(hub, dying, call)
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({ status: 'unavailable' })
    const emit = () => expect.unreachable('nobody is asked again')
    const goesOn = withApprover(wait, {}, { run, resumed: approval_id })
    expect(await hub.callTool({ ...goesOn, emit }, call)).toMatchObject({ status: 'ok' })
    expect(await rig.takeCalls()).toEqual([cancelOrder])
    const asked = await askFor(hub, goesOn, { ...call, tool_call_id: 'c2' })
    expect(asked.approval_id).not.toBe(approval_id)
    await hub.approvals.decide(ada, asked.approval_id, no())
    expect(await asked.outcome).toMatchObject({ status: 'rejected' })
  })

  /** A call of a run whose process has died while a person was asked. */
  async function leaveAsked(run_id: string) {
    const call = { ...aCall(), tool_call_id: 'c1' }
    const died = new AppError('unavailable', 'the process has died')
    const run = { run_id, untrusted: new Set<string>() }
    const left = { run, session_id: 'left' }
    const signal = new AbortController()
    const waiting = withApprover(wait, {}, { ...left, signal: signal.signal })
    const { approval_id, outcome } = await askFor(hub, waiting, call)
    signal.abort(died)
    await outcome
    const goesOn = withApprover(wait, {}, { ...left, resumed: approval_id })
    const dies = { ...goesOn, recordStart: () => Promise.reject(died) }
    return { call, approval_id, goesOn, dies }
  }

  test('that was rejected is not made by the run that goes on, though a rule has come to allow it', async () => {
    const { call, approval_id, goesOn } = await leaveAsked('r2')
    await hub.approvals.decide(ada, approval_id, no('not this one'))
    const rule = { tier: 'tenant', subject: { kind: 'tenant', id: '*' }, effect: 'allow' } as const
    const { rule_id } = await hub.policy.addRule(admin, { ...rule, server_id, tool: cancelOrder })
    expect(await hub.callTool(goesOn, call)).toMatchObject({ status: 'rejected' })
    await hub.policy.removeRule(admin, rule_id)
    expect(await rig.takeCalls()).toEqual([])
  })

  test('that was approved with other arguments is made with these, though its own yes allows all', async () => {
    const { call, approval_id, goesOn, dies } = await leaveAsked('r3')
    const { args } = aCall()
    await hub.approvals.decide(ada, approval_id, { ...yes, scope: 'tool', args })
    expect(await hub.callTool(dies, call)).toMatchObject({ status: 'unavailable' })
    const rules = hub.policy.rules(ada)
    expect(rules).toMatchObject([{ session_id: 'left', tool: cancelOrder }])
    const ended = await hub.callTool(goesOn, call)
    expect(hub.policy.rules(ada)).toEqual(rules)
    for (const { rule_id } of rules) await hub.policy.removeRule(ada, rule_id)
    expect(ended).toMatchObject({ status: 'ok' })
    expect(JSON.stringify(ended)).toContain(args.orderId)
    expect(await rig.takeCalls()).toEqual([cancelOrder])
  })

  test('that two equal calls wait for runs once', async () => {
    const call = aCall()
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), call)
    const twin = await askFor(hub, withApprover(wait), call)
    expect(twin.approval_id).toBe(approval_id)
    await hub.approvals.decide(ada, approval_id, yes)
    const ends = (await Promise.all([outcome, twin.outcome])).map(({ status }) => status)
    expect(ends.sort()).toEqual(['denied', 'ok'])
    expect(await rig.takeCalls()).toEqual([cancelOrder])
  })
})

describe('a held call', () => {
  test('names its approval; repeated after it, runs once; a third asks again', async () => {
    const call = aCall()
    const context = withApprover(hold)
    const held = await hub.callTool(context, call)
    expect(held).toMatchObject({
      status: 'denied',
      error: { code: 'approval_required', advice: 'retry', approval_id: expect.any(String) },
    })
    const { approval_id = '' } = faultOf(held)
    expect(held).toMatchObject({ error: { message: expect.stringContaining(approval_id) } })
    expect(await hub.callTool(context, call)).toMatchObject({ error: { approval_id } })
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await rig.takeCalls()).toEqual([])
    expect(await hub.callTool(context, call)).toMatchObject({ status: 'ok' })
    expect(await rig.takeCalls()).toEqual([cancelOrder])
    const third = await hub.callTool(context, call)
    expect(third).toMatchObject({ status: 'denied', error: { code: 'approval_required' } })
    expect(faultOf(third).approval_id).not.toBe(approval_id)
    expect(await rig.takeCalls()).toEqual([])
  })

  test('whose caller has left keeps its approval, and runs nothing by itself', async () => {
    const call = aCall()
    const leaving = new AbortController()
    const long = withApprover({ kind: 'hold', holdMs: 60_000 }, {}, { signal: leaving.signal })
    const { approval_id, outcome } = await askFor(hub, long, call)
    leaving.abort()
    expect(await outcome).toMatchObject({ status: 'cancelled' })
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await rig.takeCalls()).toEqual([])
    expect(await hub.callTool(withApprover(hold), call)).toMatchObject({ status: 'ok' })
    expect(await rig.takeCalls()).toEqual([cancelOrder])
  })

  test("is not another caller's to use", async () => {
    const call = aCall()
    const { approval_id, outcome } = await askFor(hub, withApprover(hold), call)
    await outcome
    await hub.approvals.decide(ada, approval_id, yes)
    for (const principal of [{ user_id: 'bo' }, { agent_id: 'a' }, { api_key: 'k' }]) {
      const other = await hub.callTool(withApprover(hold, principal), call)
      expect(other).toMatchObject({ status: 'denied', error: { code: 'approval_required' } })
      expect(faultOf(other).approval_id).not.toBe(approval_id)
    }
    expect(await rig.takeCalls()).toEqual([])
  })
})

describe('while a call waits', () => {
  test('its caller leaves: it is cancelled, withdrawn, and never runs', async () => {
    const leaving = new AbortController()
    const context = withApprover(wait, {}, { signal: leaving.signal })
    const { approval_id, outcome } = await askFor(hub, context, aCall())
    leaving.abort()
    expect(await outcome).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } })
    expect(await hub.approvals.get(ada, approval_id)).toMatchObject({ via: 'withdrawal' })
    await expect(hub.approvals.decide(ada, approval_id, yes)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await rig.takeCalls()).toEqual([])
  })

  test('an equal call that leaves takes the question with it: it is asked again', async () => {
    const call = aCall()
    const leaving = new AbortController()
    const context = withApprover(wait, {}, { signal: leaving.signal })
    const first = await askFor(hub, context, call)
    const second = await askFor(hub, withApprover(wait), call)
    expect(second.approval_id).toBe(first.approval_id)
    leaving.abort()
    expect(await first.outcome).toMatchObject({ status: 'cancelled' })
    const isAskedAgain = async () =>
      (await hub.approvals.get(ada, first.approval_id)).status === 'pending'
    await waitFor(isAskedAgain)
    await hub.approvals.decide(ada, first.approval_id, yes)
    expect(await second.outcome).toMatchObject({ status: 'ok' })
    expect(await rig.takeCalls()).toEqual([cancelOrder])
  })

  test('its arguments change: what was approved runs, and nothing else [T40]', async () => {
    const call = aCall()
    const { orderId } = call.args
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), call)
    call.args.orderId = orders.pop()!
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({ status: 'ok' })
    expect((await mall.calls()).map((one) => one.arguments)).toEqual([{ orderId }])
    await mall.forgetCalls()
  })

  test('the approval of other arguments is of no use [T40]', async () => {
    const held = await askFor(hub, withApprover(hold), aCall())
    await hub.approvals.decide(ada, held.approval_id, yes)
    await held.outcome
    await mall.forgetCalls()
    const other = await askFor(hub, withApprover(hold), aCall())
    expect(other.approval_id).not.toBe(held.approval_id)
    expect(await other.outcome).toMatchObject({ status: 'denied' })
    expect(await rig.takeCalls()).toEqual([])
  })

  test('its binding is withdrawn: it does not run', async () => {
    const subject = { kind: 'agent', id: 'temporary' } as const
    await hub.policy.setAllowList(admin, subject, [{ server_id, tool: cancelOrder }])
    const context = withApprover(wait, { agent_id: 'temporary' })
    const { approval_id, outcome } = await askFor(hub, context, aCall())
    await hub.policy.setAllowList(admin, subject, [])
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({
      status: 'denied',
      error: { code: 'tool_not_allowed', tool_name: `${server_id}/${cancelOrder}` },
    })
    expect(await rig.takeCalls()).toEqual([])
  })

  test('a rule denies the tool: it does not run', async () => {
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), aCall())
    const { rule_id } = await hub.policy.addRule(admin, {
      ...{ tier: 'tenant', subject: { kind: 'tenant', id: '*' } },
      ...{ server_id, tool: cancelOrder, effect: 'deny' },
    })
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({ status: 'denied', error: { code: 'tool_not_allowed' } })
    await hub.policy.removeRule(admin, rule_id)
    expect(await rig.takeCalls()).toEqual([])
  })

  test('its definition changes and is held back: it does not run', async () => {
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), aCall())
    await mall.changeTool(cancelOrder, { description: 'Cancels every order.' })
    await waitFor(() => hub.catalogue.get(tenant_id, tool)?.tool.state === 'pending')
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({
      status: 'denied',
      error: { code: 'approval_required', message: expect.stringContaining('held back') },
    })
    await approveTool(rig, cancelOrder)
    expect(await rig.takeCalls()).toEqual([])
  })

  test('its definition changes and is taken over: the yes to the old one is void [T40]', async () => {
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), aCall())
    await mall.changeTool(cancelOrder, { description: 'Cancels all orders of the customer.' })
    await approveTool(rig, cancelOrder)
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({
      status: 'denied',
      error: { code: 'approval_required', message: expect.stringContaining('tool has changed') },
    })
    expect(await rig.takeCalls()).toEqual([])
  })

  test('it holds no slot: others run meanwhile', async () => {
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), aCall())
    const args = { orderId: 'order-0001', text: 'meanwhile' }
    const other = await hub.callTool(toContext(), { tool: addNote, args })
    expect(other).toMatchObject({ status: 'ok' })
    await hub.approvals.decide(ada, approval_id, no())
    expect(await outcome).toMatchObject({ status: 'rejected' })
  })

  test('its window fills up: limits count it again', async () => {
    const limit = { subject: { kind: 'user', id: 'ada' }, server_id, tool: cancelOrder } as const
    const { approval_id, outcome } = await askFor(hub, withApprover(wait), aCall())
    const asked = Date.now()
    await waitFor(() => Date.now() > asked + 2)
    const { limit_id } = await hub.policy.addLimit(admin, { ...limit, max_calls: 0, window_ms: 1 })
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({ status: 'limited', error: { code: 'rate_limited' } })
    await hub.policy.removeLimit(admin, limit_id)
    expect(await rig.takeCalls()).toEqual([])
  })
})

describe("a tool of a user's own server", () => {
  const open = (session_id: string, run = { run_id: 'r', untrusted: new Set<string>() }) =>
    withApprover(wait, {}, { session_id, run })
  const args = { orderId: 'order-0042' }

  test('asks once per tool and session', async () => {
    const own = await hub.servers.register(ada, {
      scope: 'user',
      config: { name: 'own', url: mall.url, transport: 'sse' },
    })
    await hub.upstreams.refresh({ tenant_id, server_id: own.server_id, user_id: 'ada' })
    await rig.offered(own.server_id)
    const [read, note] = [getOrder, addNote].map((name) => ({ server_id: own.server_id, name }))
    const first = await askFor(hub, open('s1'), { tool: read!, args })
    await hub.approvals.decide(ada, first.approval_id, yes)
    expect(await first.outcome).toMatchObject({ status: 'ok' })

    const run = { run_id: 'r2', untrusted: new Set<string>() }
    for (const _time of [1, 2]) {
      const again = await hub.callTool(open('s1', run), { tool: read!, args })
      expect(again).toMatchObject({ status: 'ok' })
    }
    expect([...run.untrusted]).toEqual([own.server_id])
    const [rule, ...others] = hub.policy.rules(ada)
    expect(others).toEqual([])
    expect(rule).toMatchObject({ session_id: 's1', tool: getOrder, tier: 'user', effect: 'allow' })
    expect(rule?.expires_at).toBeGreaterThan(Date.now())

    const other = await askFor(hub, open('s2'), { tool: read!, args })
    await hub.approvals.decide(ada, other.approval_id, no())
    expect(await other.outcome).toMatchObject({ status: 'rejected' })
    const notes = { ...args, text: 'hello' }
    const another = await askFor(hub, open('s1', run), { tool: note!, args: notes })
    await hub.approvals.decide(ada, another.approval_id, yes)
    expect(await another.outcome).toMatchObject({ status: 'ok' })
    const twice = await hub.callTool(open('s1', run), { tool: note!, args: notes })
    expect(twice).toMatchObject({ status: 'ok' })
    const reached = await rig.takeCalls()
    expect(reached).toEqual([getOrder, getOrder, getOrder, addNote, addNote])
    await hub.servers.remove(ada, own.server_id)
  })
})

test('while the store is away nothing that asks is run, and nothing throws', async () => {
  await using leaving = await openLeavingStore()
  const own = await startMallHub({ hub: { store: leaving.store } })
  const tool = cancelOrder
  const waiting = await askFor(own.hub, withApprover(wait), { tool, args: { orderId: 'order-1' } })
  await leaving.leave()
  const late = { tool, args: { orderId: 'order-2' } }
  const outcome = await own.hub.callTool(withApprover(wait), late)
  expect(outcome).toMatchObject({ status: 'unavailable', error: { advice: 'retry' } })
  expect(await auditOf(own.hub, outcome)).toMatchObject({ status: 'unavailable', attempts: 0 })
  await expect(own.hub.approvals.decide(ada, waiting.approval_id, yes)).rejects.toThrow()
  expect(await own.takeCalls()).toEqual([])
  await own[Symbol.asyncDispose]()
  expect(await waiting.outcome).toMatchObject({ status: 'unavailable' })
})
