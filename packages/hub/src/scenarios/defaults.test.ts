import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallContext, RunState } from '../call-context.ts'
import { defineTool } from '../define-tool/index.ts'
import type { Effect } from '../policy/index.ts'
import { askFor, yes } from './test-asking.ts'
import { admin, tenant_id, toContext } from './test-hub.ts'
import { addNote, auditOf, cancelOrder, getOrder, startMallHub } from './test-mall-hub.ts'

const input = z.object({})
const ownTool = (name: string, more: object) =>
  defineTool({ name, description: name, input, run: () => name, ...more })
const closed = { openWorldHint: false }

const tools = [
  ownTool('read_file', { annotations: { readOnlyHint: true, ...closed } }),
  ownTool('write_file', { annotations: closed }),
  ownTool('shell', { approval: 'ask' }),
  ownTool('http_request', { approval: 'ask' }),
  ownTool('web_fetch', { untrusted: true, annotations: { readOnlyHint: true } }),
]

const rig = await startMallHub({ hub: { tools } })
const { hub, mall, server_id } = rig
afterAll(() => rig[Symbol.asyncDispose]())
const ada = toContext().principal
let own = ''

beforeAll(async () => {
  const config = { name: 'own', url: mall.url, transport: 'sse' } as const
  const registered = await hub.servers.register(ada, { scope: 'user', config })
  own = registered.server_id
  await hub.upstreams.refresh({ tenant_id, server_id: own, user_id: 'ada' })
  await rig.offered(own)
})

const order = { orderId: 'order-0042' }
const argsOf: Record<string, Record<string, unknown>> = {
  [getOrder]: order,
  [addNote]: { ...order, text: 'hello' },
  [cancelOrder]: order,
}
const newRun = (...untrusted: string[]): RunState => ({
  run_id: 'r',
  untrusted: new Set(untrusted),
})

/** Servers by the name that the tables below use. */
const idOf = (server: string) => ({ mall: server_id, own, ours: 'dataagent' })[server]!
const call = (server: string, name: string, more: Partial<CallContext> = {}) =>
  hub.callTool(toContext({}, more), {
    tool: { server_id: idOf(server), name },
    args: argsOf[name] ?? {},
  })

const needsPerson = (why: string) => ({
  status: 'denied',
  error: { code: 'approval_required', message: expect.stringContaining(why) },
})

describe('by default', () => {
  test.each([
    ['a built-in read', 'ours', 'read_file'],
    ["a write inside the user's own workspace", 'ours', 'write_file'],
    ["a tool of an administrator's server", 'mall', getOrder],
    ["a tool of an administrator's server that writes", 'mall', addNote],
  ])('%s is allowed', async (_what, server, name) => {
    expect((await call(server, name)).status).not.toBe('denied')
  })

  test.each([
    ['shell', 'ours', 'shell', 'outside of your own space'],
    ['http_request', 'ours', 'http_request', 'outside of your own space'],
    ['a destructive tool', 'mall', cancelOrder, 'says that it is destructive'],
    ["a tool of a user's server", 'own', getOrder, 'was added by a user'],
    ["a destructive tool of a user's server", 'own', cancelOrder, 'destructive'],
  ])(
    '%s asks; where nobody can be asked it is denied, and names the setting [T39]',
    async (...row) => {
      const [, server, name, why] = row
      const outcome = await call(server, name)
      expect(outcome).toMatchObject(needsPerson(why))
      expect(outcome).toMatchObject(needsPerson('"toolApproval"'))
      expect(outcome).toMatchObject(needsPerson('policy rule'))
      expect(await auditOf(hub, outcome)).toMatchObject({ status: 'denied', attempts: 0 })
    },
  )
})

describe('after untrusted output was read in the run', () => {
  const words = 'has read output that nobody vouches for'

  test('a tool with outside effects asks, and one without does not', async () => {
    const run = newRun()
    expect(await call('mall', addNote, { run })).toMatchObject({ status: 'ok' })
    expect(await call('ours', 'web_fetch', { run })).toMatchObject({ status: 'ok' })
    expect([...run.untrusted]).toEqual(['dataagent'])
    expect(await call('mall', addNote, { run })).toMatchObject(needsPerson(words))
    expect(await call('mall', getOrder, { run })).toMatchObject({ status: 'ok' })
    expect(await call('ours', 'write_file', { run })).toMatchObject({ status: 'ok' })
    expect(await call('mall', addNote, { run: newRun() })).toMatchObject({ status: 'ok' })
  })

  test("the output of a user's server is such", async () => {
    const run = newRun()
    const context = toContext({}, { run, approver: { kind: 'wait' } })
    const tool = { server_id: own, name: getOrder }
    const { approval_id, outcome } = await askFor(hub, context, { tool, args: order })
    await hub.approvals.decide(ada, approval_id, yes)
    expect(await outcome).toMatchObject({ status: 'ok' })
    expect(await call('mall', addNote, { run })).toMatchObject(needsPerson(words))
  })

  test('a rule that trusts the pair allows it, and no other', async () => {
    const { rule_id } = await hub.policy.addRule(admin, {
      ...{ tier: 'tenant', subject: { kind: 'tenant', id: '*' }, effect: 'allow' },
      ...{ server_id, tool: addNote, trusts: ['web'] },
    })
    expect(await call('mall', addNote, { run: newRun('web') })).toMatchObject({ status: 'ok' })
    const two = newRun('web', 'mail')
    expect(await call('mall', addNote, { run: two })).toMatchObject(needsPerson(words))
    await hub.policy.removeRule(admin, rule_id)
  })
})

describe('a policy overrides each row', () => {
  const subject = { kind: 'tenant', id: '*' } as const
  const denied = { status: 'denied', error: { code: 'tool_not_allowed' } }

  async function withRule(server: string, tool: string, effect: Effect) {
    const rule = { tier: 'tenant', subject, server_id: idOf(server), tool, effect } as const
    const { rule_id } = await hub.policy.addRule(admin, rule)
    const outcome = await call(server, tool)
    await hub.policy.removeRule(admin, rule_id)
    return outcome
  }

  test.each([
    ['ours', 'read_file'],
    ['ours', 'shell'],
    ['mall', getOrder],
    ['mall', cancelOrder],
    ['own', addNote],
  ])('%s %s', async (server, name) => {
    expect((await withRule(server, name, 'allow')).status).not.toBe('denied')
    expect(await withRule(server, name, 'ask')).toMatchObject(needsPerson('a rule of the tenant'))
    expect(await withRule(server, name, 'deny')).toMatchObject(denied)
  })

  test('the settings of a server do', async () => {
    const toolApproval = { [getOrder]: 'ask', [cancelOrder]: 'allow', [addNote]: 'deny' } as const
    const config = { name: 'set', url: mall.url, transport: 'sse', toolApproval } as const
    const { server_id: id } = await rig.connect(config)
    const ask = (name: string) =>
      hub.callTool(toContext(), { tool: { server_id: id, name }, args: argsOf[name] })
    expect(await ask(getOrder)).toMatchObject(needsPerson('the settings of its server'))
    expect((await ask(cancelOrder)).status).not.toBe('denied')
    expect(await ask(addNote)).toMatchObject(denied)
  })

  test.each(['auto_approve', '--approve policy'])('%s is explicit and audited', async (setting) => {
    const outcome = await call('ours', 'shell', { approver: { kind: 'auto', setting } })
    expect(outcome).toMatchObject({ status: 'ok' })
    const { decided_by } = await auditOf(hub, outcome)
    expect(decided_by).toBe(
      JSON.stringify({ kind: 'default', why: 'own_tool_asks', approved_by: setting }),
    )
  })
})
