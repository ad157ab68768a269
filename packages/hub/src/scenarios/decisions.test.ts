import { type Decision, readJson } from '@dataagent/schema'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallContext } from '../call-context.ts'
import { createToolset } from '../catalogue/index.ts'
import { defineTool } from '../define-tool/index.ts'
import { askFor, yes } from './test-asking.ts'
import { admin, toContext } from './test-hub.ts'
import { addNote, auditOf, cancelOrder, getOrder, startMallHub } from './test-mall-hub.ts'

const rig = await startMallHub({ hub: { settings: { recordArgs: true } } })
const { hub, mall, server_id } = rig
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => mall.forgetCalls())

const ada = toContext().principal
const cancel = { server_id, name: cancelOrder }
const note = { server_id, name: addNote }
let sessions = 0
const aSession = () => `s${++sessions}`
const inSession = (session_id: string, more: Partial<CallContext> = {}) =>
  toContext({}, { approver: { kind: 'wait' }, session_id, ...more })
const orderId = (n: number) => ({ orderId: `order-${String(n).padStart(4, '0')}` })

/** Asks, decides, and gives how it ended. */
async function decided(
  context: CallContext,
  call: Parameters<typeof askFor>[2],
  { by = ada, ...decision }: Partial<Decision> & { by?: typeof ada },
) {
  const { approval_id, outcome } = await askFor(hub, context, call)
  await hub.approvals.decide(by, approval_id, { ...yes, ...decision } as Decision)
  return { approval_id, ended: await outcome }
}

const nobody = (session_id: string, more: Partial<CallContext> = {}) =>
  toContext({}, { session_id, ...more })
const asks = { status: 'denied', error: { code: 'approval_required' } }

describe('a call that is approved with other arguments', () => {
  test('runs with those, and the audit says who gave them', async () => {
    const call = { tool: cancel, args: orderId(31) }
    const given = orderId(30)
    const { ended } = await decided(inSession(aSession()), call, { by: admin, args: given })
    expect((await mall.calls()).map((one) => one.arguments)).toEqual([given])
    const row = await auditOf(hub, ended)
    expect(readJson(row.decided_by!)).toEqual({
      ...{ kind: 'default', why: 'destructive_annotation', edited_by: 'root' },
    })
    expect(readJson(row.args!)).toEqual(given)
    expect(row.args_digest).not.toBeNull()
    const plain = await decided(inSession(aSession()), call, {})
    expect((await auditOf(hub, plain.ended)).args_digest).not.toBe(row.args_digest)
  })

  test('is approved once: the same call, and one with the given arguments, ask again', async () => {
    const context = inSession(aSession())
    const call = { tool: cancel, args: orderId(32) }
    const { approval_id } = await decided(context, call, { args: orderId(33) })
    await mall.forgetCalls()
    for (const args of [call.args, orderId(33)]) {
      const again = await askFor(hub, context, { tool: cancel, args })
      expect(again.approval_id).not.toBe(approval_id)
      await hub.approvals.decide(ada, again.approval_id, { type: 'reject', message: '' })
      expect(await again.outcome).toMatchObject({ status: 'rejected' })
    }
    expect(await mall.calls()).toEqual([])
  })

  test('that do not fit the tool: the approver is told, and can decide again', async () => {
    const { approval_id, outcome } = await askFor(hub, inSession(aSession()), {
      ...{ tool: cancel, args: orderId(34) },
    })
    const misfit = hub.approvals.decide(ada, approval_id, { ...yes, args: { orderId: 7 } })
    await expect(misfit).rejects.toMatchObject({
      code: 'invalid_arguments',
      data: { errors: [expect.objectContaining({ path: 'orderId' })] },
    })
    await hub.approvals.decide(ada, approval_id, yes)
    await outcome
    expect((await mall.calls()).map((one) => one.arguments)).toEqual([orderId(34)])
  })

  test('that only the call can check: it does not run, and the approval is spent', async () => {
    const ran: unknown[] = []
    const tools = createToolset([
      defineTool({
        name: 'send',
        description: 'Sends it.',
        input: z.object({ to: z.string() }),
        approval: 'ask',
        run: (args) => void ran.push(args),
      }),
    ])
    const context = inSession(aSession(), { tools })
    const call = { tool: 'send', args: { to: 'ada' } }
    const { approval_id, ended } = await decided(context, call, { args: { to: 1 } })
    expect(ended).toMatchObject({
      status: 'invalid',
      error: {
        ...{ code: 'invalid_arguments', advice: 'ask_user' },
        message: expect.stringContaining('A person approved the call with other arguments.'),
      },
    })
    expect(ran).toEqual([])
    const again = await decided(context, call, { args: { to: 'bo' } })
    expect(again.approval_id).not.toBe(approval_id)
    expect(again.ended).toMatchObject({ status: 'ok' })
    expect(ran).toEqual([{ to: 'bo' }])
  })

  test('is judged again: what a rule forbids meanwhile does not run', async () => {
    const { approval_id, outcome } = await askFor(hub, inSession(aSession()), {
      ...{ tool: cancel, args: orderId(35) },
    })
    const { rule_id } = await hub.policy.addRule(admin, {
      ...{ tier: 'tenant', subject: { kind: 'tenant', id: '*' } },
      ...{ server_id, tool: cancelOrder, effect: 'deny' },
    })
    await hub.approvals.decide(ada, approval_id, { ...yes, args: orderId(36) })
    expect(await outcome).toMatchObject({ status: 'denied' })
    await hub.policy.removeRule(admin, rule_id)
    expect(await mall.calls()).toEqual([])
  })
})

describe('a yes that reaches further', () => {
  test('tool: this tool in this session, and nothing else [T43]', async () => {
    const session_id = aSession()
    await decided(inSession(session_id), { tool: cancel, args: orderId(41) }, { scope: 'tool' })
    const call = { tool: cancel, args: orderId(42) }
    expect((await hub.callTool(nobody(session_id), call)).status).not.toBe('denied')
    expect(await hub.callTool(nobody(aSession()), call)).toMatchObject(asks)
    const bo = toContext({ user_id: 'bo' }, { session_id })
    expect(await hub.callTool(bo, call)).toMatchObject(asks)
    const [rule] = hub.policy.rules(ada).filter((each) => each.session_id === session_id)
    expect(rule).toMatchObject({
      ...{ tier: 'user', effect: 'allow', tool: cancelOrder, trusts: [] },
      note: 'approved for this session by ada',
    })
  })

  test('server: every tool of it in this session', async () => {
    const { rule_id } = await askForNotes('user')
    const session_id = aSession()
    const args = { ...orderId(43), text: 'hello' }
    expect(await hub.callTool(nobody(session_id), { tool: note, args })).toMatchObject(asks)
    await hub.policy.removeRule(admin, rule_id)
    await decided(inSession(session_id), { tool: cancel, args: orderId(43) }, { scope: 'server' })
    const call = { tool: cancel, args: orderId(44) }
    expect((await hub.callTool(nobody(session_id), call)).status).not.toBe('denied')
    expect(await hub.callTool(nobody(session_id), { tool: note, args })).toMatchObject({
      status: 'ok',
    })
    const rule = hub.policy.rules(ada).find((each) => each.session_id === session_id)
    expect(rule).toMatchObject({ server_id, tool: '*' })
  })

  test('always: this tool in every session, until the rule is removed', async () => {
    const call = { tool: cancel, args: orderId(45) }
    await decided(inSession(aSession()), call, { scope: 'always', by: admin })
    const again = { tool: cancel, args: orderId(46) }
    expect((await hub.callTool(nobody(aSession()), again)).status).not.toBe('denied')
    const rule = hub.policy.rules(ada).find((each) => each.session_id === null)!
    expect(rule).toMatchObject({
      ...{ tool: cancelOrder, expires_at: null, subject: { kind: 'user', id: 'ada' } },
      note: 'approved until it is withdrawn by root',
    })
    await hub.policy.removeRule(ada, rule.rule_id)
    expect(await hub.callTool(nobody(aSession()), again)).toMatchObject(asks)
  })

  test('once: nothing is remembered', async () => {
    const session_id = aSession()
    await decided(inSession(session_id), { tool: cancel, args: orderId(47) }, { scope: 'once' })
    const call = { tool: cancel, args: orderId(48) }
    expect(await hub.callTool(nobody(session_id), call)).toMatchObject(asks)
  })

  test('is never looser than what an administrator has set', async () => {
    const { rule_id } = await askForNotes('tenant')
    const session_id = aSession()
    const call = { tool: note, args: { ...orderId(49), text: 'x' } }
    for (const scope of ['tool', 'server', 'always'] as const) {
      const { ended } = await decided(inSession(session_id), call, { scope })
      expect(ended).toMatchObject({ status: 'ok' })
      expect(await hub.callTool(nobody(session_id), call)).toMatchObject(asks)
    }
    await hub.policy.removeRule(admin, rule_id)
  })

  test('does not hold after output that nobody vouches for', async () => {
    const session_id = aSession()
    await decided(inSession(session_id), { tool: cancel, args: orderId(50) }, { scope: 'server' })
    const run = { run_id: 'r', untrusted: new Set(['somewhere']) }
    const call = { tool: cancel, args: orderId(51) }
    expect(await hub.callTool(nobody(session_id, { run }), call)).toMatchObject(asks)
    const reading = { tool: { server_id, name: getOrder }, args: orderId(51) }
    expect(await hub.callTool(nobody(session_id, { run }), reading)).toMatchObject({ status: 'ok' })
  })

  function askForNotes(tier: 'tenant' | 'user') {
    const subject = { kind: 'user', id: 'ada' } as const
    const rule = { tier, subject, server_id, tool: addNote, effect: 'ask' } as const
    return hub.policy.addRule(admin, rule)
  }
})

test.each(['end', 'tell'] as const)('a no that says %s tells the caller so', async (on_reject) => {
  const call = { tool: cancel, args: orderId(on_reject === 'end' ? 60 : 61) }
  const no = { type: 'reject', message: 'not now', on_reject } as const
  const { ended } = await decided(inSession(aSession()), call, no)
  expect(ended).toMatchObject({ status: 'rejected', error: { on_reject } })
})
