import type { ServerNotice, ServerQuestions } from '@dataagent/mcp'
import { waitFor } from '@dataagent/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FeatureAsk } from '../features/index.ts'
import { type Oracle, type OracleKind, startOracle } from '../upstreams/test-oracle.ts'
import { admin, everything, startTestHub, type TestHub, toContext } from './test-hub.ts'
import { startTellingServer } from './test-telling-server.ts'

const kinds: OracleKind[] = ['stdio v1', 'http v1', 'http v2']
const agent = { kind: 'agent', id: 'a' } as const
const context = toContext({ agent_id: 'a' }, { source: 'gateway' })
const server_id = 'oracle'
const read: FeatureAsk = { server_id, method: 'resources/read', params: { uri: 'oracle://3' } }
const list: FeatureAsk = { server_id, method: 'resources/list', params: {} }

describe.each(kinds)('what is no tool of a server, over %s', (kind) => {
  let oracle: Oracle
  let rig: TestHub
  beforeAll(async () => {
    oracle = await startOracle(kind)
    const settings = { defaultAllow: everything }
    rig = await startTestHub({ passesQuestions: true, settings })
    await rig.connect(oracle.config, server_id)
  }, 30_000)
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
    await oracle[Symbol.asyncDispose]()
  })
  afterEach(() => rig.hub.policy.clearAllowList(admin, agent).catch(() => undefined))

  const bind = (...tools: string[]) => {
    const entries = tools.map((tool) => ({ server_id, tool }))
    return rig.hub.policy.setAllowList(admin, agent, entries)
  }
  const statusOf = async (asked: FeatureAsk) => (await rig.hub.features.ask(context, asked)).status

  test('is listed and asked for, and reading is recorded', async () => {
    await bind('*')
    const { features, audit } = rig.hub
    expect(features.list(context)).toMatchObject([
      {
        server_id,
        tenant_id: 'acme',
        name: 'oracle',
        capabilities: { resources: {}, prompts: {} },
      },
    ])
    const listed = await features.ask(context, list)
    expect(listed).toMatchObject({ status: 'ok', result: { resources: expect.any(Array) } })
    const got = await features.ask(context, read)
    expect(got).toMatchObject({ result: { contents: [{ text: 'content of oracle://3' }] } })
    await audit.flush()
    const rows = await audit.query(admin, { limit: 100, offset: 0 })
    expect(rows.find(({ call_id }) => call_id === got.call_id)).toMatchObject({
      ...{ server_id, tool_name: 'resources/read', source: 'gateway', status: 'ok' },
    })
    expect(rows.some(({ call_id }) => call_id === listed.call_id)).toBe(false)
  })

  test('belongs to who is bound to it by a pattern, not by names of tools [A2.1]', async () => {
    const templates = { ...list, method: 'resources/templates/list' }
    const prompts = { ...list, method: 'prompts/list' }
    const all = () => Promise.all([list, templates, read, prompts].map(statusOf))
    await bind('echo', 'fail')
    expect(await all()).toEqual(['denied', 'denied', 'denied', 'denied'])
    expect(rig.hub.features.list(context)).toEqual([])
    await bind('echo', 'resources/*')
    expect(await all()).toEqual(['ok', 'ok', 'ok', 'denied'])
    const [server] = rig.hub.features.list(context)
    expect(Object.keys(server?.capabilities ?? {}).toSorted()).toEqual(['resources', 'tools'])
    await bind('*')
    expect(await all()).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  test('is denied by a rule, a limit, a role and to other tenants [A2.2]', async () => {
    const { policy, features } = rig.hub
    const scope = { subject: agent, server_id, tool: 'resources/read' }
    const rule = await policy.addRule(admin, { ...scope, tier: 'tenant', effect: 'deny' })
    expect([await statusOf(read), await statusOf(list)]).toEqual(['denied', 'ok'])
    await policy.removeRule(admin, rule.rule_id)
    const limit = await policy.addLimit(admin, { ...scope, max_calls: 1, window_ms: 60_000 })
    expect([await statusOf(read), await statusOf(read)]).toEqual(['ok', 'limited'])
    await policy.removeLimit(admin, limit.limit_id)
    for (const who of [{ role: 'auditor' }, { tenant_id: 'other' }] as const) {
      const other = toContext(who)
      expect(await features.ask(other, read)).toMatchObject({ status: 'denied' })
      expect(features.list(other)).toEqual([])
      const wish = { server_id, uri: 'oracle://1' }
      await expect(features.subscribe(other, wish)).rejects.toMatchObject({
        code: 'tool_not_allowed',
      })
    }
  })

  test('is asked for as the method wants it, or not at all', async () => {
    const { features } = rig.hub
    const misfit = await features.ask(context, { ...read, params: { uri: 3 } })
    expect(misfit).toMatchObject({ status: 'invalid', error: { code: 'invalid_arguments' } })
    expect(await statusOf({ ...read, method: 'tools/call' })).toBe('denied')
    const level = { server_id, method: 'logging/setLevel', params: { level: 'loud' } }
    expect(await statusOf(level)).toBe('invalid')
    expect(await statusOf({ ...level, params: { level: 'debug' } })).toBe('ok')
  })

  test('changes are told to who subscribed', async () => {
    const { features, callTool } = rig.hub
    const told: unknown[] = []
    const stopHearing = features.onNotice((noticed) => told.push(noticed))
    const stop = await features.subscribe(context, { server_id, uri: 'oracle://1' })
    await callTool(context, { tool: 'oracle.touch', args: { uri: 'oracle://1' } })
    const notice = { kind: 'resource_updated', uri: 'oracle://1' }
    const noticed = { tenant_id: 'acme', server_id, user_id: null, notice }
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([noticed])
    await stop()
    stopHearing()
  })

  test('what a server asks and logs during a call reaches its caller', async () => {
    const elicit: ServerQuestions['elicit'] = async ({ message }) => ({
      action: 'accept',
      content: { name: message },
    })
    const told: ServerNotice[] = []
    const onNotice = (notice: ServerNotice) => void told.push(notice)
    const asking = { ...context, questions: { elicit }, onNotice }
    const ask = (from: typeof context) => rig.hub.callTool(from, { tool: 'oracle.ask_person' })
    const asked = 'accept The server oracle asks: What is your name?'
    expect(await ask(asking)).toMatchObject({ result: { text: asked } })
    expect(await ask(context)).toMatchObject({ result: { text: 'cancel undefined' } })
    const setLevel = { server_id, method: 'logging/setLevel', params: { level: 'debug' } }
    await rig.hub.features.ask(context, setLevel)
    await rig.hub.callTool(asking, { tool: 'oracle.log' })
    await waitFor(() => told.length > 0)
    expect(told).toMatchObject([{ kind: 'log', data: 'a line' }])
  })

  test('results and errors are in reach as the server sent them', async () => {
    const { callTool } = rig.hub
    const failed = await callTool(context, { tool: 'oracle.fail' })
    expect(failed).toMatchObject({ status: 'failed', result: { raw: { isError: true } } })
    const structured = await callTool(context, { tool: 'oracle.structured' })
    expect(structured).toMatchObject({ result: { raw: { structuredContent: { n: 7 } } } })
    const unknown = { server_id, method: 'resources/read', params: { uri: 'nowhere://' } }
    const refused = await rig.hub.features.ask(context, unknown)
    expect(refused).toMatchObject({ status: 'failed', error: { rpc: { code: -32602 } } })
  })
})

test('a filter of the server that names tools keeps everything else back', async () => {
  await using oracle = await startOracle('http v1')
  await using rig = await startTestHub({ settings: { defaultAllow: everything } })
  await rig.connect({ ...oracle.config, allowedTools: ['echo'] }, server_id)
  expect(rig.hub.features.list(context)).toEqual([])
  expect(await rig.hub.features.ask(context, read)).toMatchObject({ status: 'unavailable' })
})

test('of a server that a user added, what is read is asked for, and lists are not', async () => {
  await using oracle = await startOracle('http v1')
  await using rig = await startTestHub({ settings: { defaultAllow: everything } })
  const ada = { ...admin, user_id: 'ada' }
  const config = { ...oracle.config, name: 'own' }
  const own = await rig.hub.servers.register(ada, { scope: 'user', config })
  const id = { server_id: own.server_id }
  const { features } = rig.hub
  expect(await features.ask(context, { ...list, ...id })).toMatchObject({ status: 'ok' })
  expect(await features.ask(context, { ...read, ...id })).toMatchObject({
    status: 'denied',
    error: { code: 'approval_required' },
  })
  const other = toContext({ user_id: 'bob' })
  expect(await features.ask(other, { ...list, ...id })).toMatchObject({ status: 'denied' })
})

test('an error of the server is passed on without what it was sent [A5.3]', async () => {
  await using server = await startTellingServer()
  await using rig = await startTestHub({ settings: { defaultAllow: everything } })
  const token = 'sk-canary-0123456789abcdef'
  const headers = { authorization: `Bearer ${token}` }
  await rig.connect({ name: 'telling', url: server.url, headers })
  const outcome = await rig.hub.callTool(context, { tool: 'telling.refuse' })
  expect(outcome).toMatchObject({
    status: 'failed',
    error: { rpc: { code: -32000, message: expect.stringContaining('***'), data: {} } },
  })
  await rig.hub.audit.flush()
  const rows = await rig.hub.audit.query(admin, { limit: 10, offset: 0 })
  expect(rows[0]?.error).toContain('"rpc":{"code":-32000')
  expect(JSON.stringify([outcome, rows])).not.toContain(token)
})
