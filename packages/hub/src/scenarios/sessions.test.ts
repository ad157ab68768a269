import { join } from 'node:path'
import { mallCommand } from '@dataagent/example-mall'
import type { ServerConfigInput } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createCanary, scanForCanaries, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { CallContext } from '../call-context.ts'
import type { Hub } from '../hub.ts'
import type { HubOptions } from '../hub-options.ts'
import type { Principal } from '../principal.ts'
import { startTestHttp, type TestHttp } from '../upstreams/test-http.ts'
import { admin, everything, startTestHub, tenant_id, toContext } from './test-hub.ts'
import { findProcesses } from './test-processes.ts'
import { openTestStore } from './test-store.ts'

const ada: Principal = { tenant_id, user_id: 'ada', role: 'user' }
const echo = 'notes.echo'

describe('a session under way, when its user', () => {
  test('changes a server, goes on with the one that it began with [D30.5] [D30.6]', async () => {
    await using rig = await setUp()
    const { hub, http, open, add } = rig
    const { server_id } = await add('notes', http.url('a'))
    await open('before', 2)
    await expectReaches(hub, http, { session_id: 'before', server: 'a' })
    const listed = namesOf(hub, 'before')
    await hub.servers.update(ada, server_id, toConfig('notes', http.url('b')))
    expect(namesOf(hub, 'before')).toEqual(listed)
    await open('after', 2)
    await expectReaches(hub, http, { session_id: 'before', server: 'a' })
    await expectReaches(hub, http, { session_id: 'after', server: 'b' })
    await expectReaches(hub, http, { session_id: undefined, server: 'b' })
    await expectReaches(hub, http, { session_id: 'before', server: 'a' })
    expect(http.sessions()).toBe(2)
  })

  test('adds one, does not see it; the next session does [D30.5]', async () => {
    await using rig = await setUp()
    const { hub, http, open, add } = rig
    await add('notes', http.url('a'))
    await open('before', 2)
    await add('plans', http.url('b'))
    await open('after', 4)
    expect(namesOf(hub, 'before')).toHaveLength(2)
    const refused = await hub.callTool(inSession('before'), { tool: 'plans.echo' })
    expect(refused).toMatchObject({ status: 'denied', error: { code: 'tool_not_allowed' } })
  })

  test('removes one, still has it until it ends [D30.5] [D31.4]', async () => {
    await using rig = await setUp()
    const { hub, http, open, add } = rig
    const { server_id } = await add('notes', http.url('a'))
    await open('before', 2)
    await expectReaches(hub, http, { session_id: 'before', server: 'a' })
    await hub.servers.remove(ada, server_id)
    await open('after', 0)
    await expectReaches(hub, http, { session_id: 'before', server: 'a' })
    const byIdentity = { tool: { server_id, name: 'echo' }, args: { message: 'x' } }
    const outcome = await hub.callTool(inSession('before'), byIdentity)
    expect(outcome).toMatchObject({ status: 'ok', tool: { server_id } })
    expect(namesOf(hub, 'after')).toEqual([])
    await hub.sessions.close({ tenant_id, session_id: 'before' })
    expect(namesOf(hub, 'before')).toEqual([])
    expect(hub.catalogue.named(tenant_id, echo)).toEqual([])
    await hub.audit.flush()
    const calls = await hub.audit.query(admin, { limit: 10, offset: 0 })
    expect(new Set(calls.map((call) => call.server_id))).toEqual(new Set([server_id]))
  })

  test('adds one with the name of a shared one, keeps the shared one [D30.4]', async () => {
    await using rig = await setUp()
    const { hub, http, open, add } = rig
    const shared = { scope: 'tenant', config: toConfig('notes', http.url('shared')) } as const
    await hub.whenOffered(await hub.servers.register(admin, shared))
    await open('before', 2)
    await add('notes', http.url('a'))
    await open('after', 2)
    await expectReaches(hub, http, { session_id: 'after', server: 'a' })
    await expectReaches(hub, http, { session_id: 'before', server: 'shared' })
  })
})

describe('acts at once on sessions under way:', () => {
  test('an administrator who disables or removes a server of a user [D30.6]', async () => {
    await using rig = await setUp()
    const { hub, http, open, add } = rig
    const notes = await add('notes', http.url('a'))
    const plans = await add('plans', http.url('b'))
    await open('before', 4)
    await hub.servers.update(ada, plans.server_id, toConfig('plans', http.url('c')))
    expect(namesOf(hub, 'before')).toHaveLength(4)
    const off = { ...toConfig('notes', http.url('a')), disabled: true }
    await hub.servers.update(admin, notes.server_id, off)
    expect(namesOf(hub, 'before')).toEqual(['plans--echo', 'plans--tool_1'])
    await hub.servers.remove(admin, plans.server_id)
    expect(namesOf(hub, 'before')).toEqual([])
    expect((await hub.callTool(inSession('before'), { tool: 'plans.echo' })).status).toBe('denied')
  })

  test('an administrator who changes a shared server, a rule that denies, bad health', async () => {
    await using rig = await setUp()
    const { hub, http, open, add } = rig
    const shared = { scope: 'tenant', config: toConfig('shop', http.url('shop')) } as const
    const shop = await hub.servers.register(admin, shared)
    const { server_id } = await add('notes', http.url('a'), { healthEvery: 0.2 })
    await open('before', 4)
    await hub.servers.update(ada, server_id, toConfig('notes', http.url('b')))
    await hub.servers.update(admin, shop.server_id, { ...shared.config, disabled: true })
    expect(namesOf(hub, 'before')).toHaveLength(2)
    const subject = { kind: 'user', id: 'ada' } as const
    const deny = { tier: 'tenant', subject, server_id, tool: 'tool_1', effect: 'deny' } as const
    await hub.policy.addRule(admin, deny)
    expect(namesOf(hub, 'before')).toEqual(['notes--echo'])
    http.refuse('a', 500)
    await waitFor(() => namesOf(hub, 'before').length === 0)
    http.refuse('a', 0)
    await waitFor(() => namesOf(hub, 'before').length === 1, { timeoutMs: 15_000 })
  })
})

test('a restart leaves a session what it began with, and its secrets sealed [D30.5] [A1.5]', async () => {
  const canary = createCanary()
  await using store = await openTestStore()
  await using http = await startTestHttp()
  const first = await setUp(store.options)
  const headers = { Authorization: `Bearer ${canary.apiKey}` }
  const { server_id } = await first.add('notes', http.url('a'), { headers })
  await first.open('before', 2)
  await first.hub.servers.update(ada, server_id, toConfig('notes', http.url('b')))
  await first[Symbol.asyncDispose]()

  await using second = await setUp(store.options)
  const { hub, open } = second
  await open('before', 2)
  await open('after', 2)
  await expectReaches(hub, http, { session_id: 'before', server: 'a' })
  expect(http.calls('a').at(-1)?.headers.authorization).toBe(headers.Authorization)
  await expectReaches(hub, http, { session_id: 'after', server: 'b' })
  expect(http.calls('b').at(-1)?.headers.authorization).toBeUndefined()
  expect(await scanForCanaries([canary], [{ directory: store.dir }])).toEqual([])
})

test('two processes serve one session alike, whoever of them makes the change [D30.5]', async () => {
  await using store = await openTestStore()
  await using kv = createMemoryKv()
  await using one = await setUp({ ...store.options, kv })
  await using two = await setUp({ ...store.options, kv, journalDir: `${store.dir}/two` })
  const { http } = one
  const { server_id } = await one.add('notes', http.url('a'))
  await one.open('before', 2)
  await expectReaches(one.hub, http, { session_id: 'before', server: 'a' })
  await two.hub.revisions.check()
  await two.hub.servers.update(ada, server_id, toConfig('notes', http.url('b')))
  await two.open('before', 2)
  await expectReaches(two.hub, http, { session_id: 'before', server: 'a' })
  await one.open('after', 2)
  await expectReaches(one.hub, http, { session_id: 'after', server: 'b' })
  await expectReaches(one.hub, http, { session_id: 'before', server: 'a' })
  await two.hub.sessions.close({ tenant_id, session_id: 'before' })
  await one.hub.revisions.check()
  expect(namesOf(one.hub, 'before')).toEqual([])
})

test('what a person allowed for the session holds on', async () => {
  await using rig = await setUp()
  const { hub, http, open, add } = rig
  const { server_id } = await add('notes', http.url('a'))
  await open('before', 2)
  const context: CallContext = { ...inSession('before'), approver: { kind: 'wait' } }
  const asked = hub.callTool(context, { tool: echo, args: { message: 'x' } })
  const [approval] = await waitFor(async () => {
    const pending = await hub.approvals.list(ada, { status: 'pending', limit: 1, offset: 0 })
    return pending.length > 0 ? pending : undefined
  })
  await hub.servers.update(ada, server_id, toConfig('notes', http.url('b')))
  await hub.approvals.decide(ada, approval!.approval_id, { type: 'approve', message: '' })
  expect(await asked).toMatchObject({ status: 'ok', tool: { server_id } })
  const again = await hub.callTool({ ...context, approver: { kind: 'nobody' } }, { tool: echo })
  expect(again.status).toBe('ok')
  expect([http.calls('a').length, http.calls('b').length]).toEqual([2, 0])
})

test('the child of a stdio server goes on for the session, and ends with it [D31.4]', async () => {
  await using dir = await temporaryDirectory()
  await using rig = await setUp({ gate: { check() {} } })
  const { hub, open } = rig
  const db = join(dir.path, 'shop.db')
  const config = { name: 'shop', ...mallCommand({ db }) }
  const { server_id } = await hub.servers.register(ada, { scope: 'user', config })
  await open('before', 8)
  const [child] = findProcesses(db)
  await hub.servers.update(ada, server_id, { ...config, toolTimeouts: { '*': 5 } })
  expect(namesOf(hub, 'before')).toHaveLength(8)
  await open('after', 8)
  const two = findProcesses(db)
  expect(two).toHaveLength(2)
  expect(two).toContainEqual(child)
  await hub.sessions.close({ tenant_id, session_id: 'before' })
  await waitFor(() => findProcesses(db).length === 1, { timeoutMs: 15_000 })
  expect(findProcesses(db)).not.toContainEqual(child)
})

test('what only sessions still have counts to no limit of servers [D31.2]', async () => {
  await using rig = await setUp()
  const { hub, http, open, add } = rig
  const added = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) added.push(await add(name, http.url(name)))
  await open('before', 10)
  await expect(add('f', http.url('f'))).rejects.toMatchObject({ code: 'quota_exceeded' })
  await hub.servers.remove(ada, added[0]!.server_id)
  await add('f', http.url('f'))
  await expect(add('g', http.url('g'))).rejects.toMatchObject({ code: 'quota_exceeded' })
  expect(namesOf(hub, 'before')).toHaveLength(10)
})

test('a session of another user is not found, and its id selects nothing for others', async () => {
  await using rig = await setUp()
  const { hub, http, open, add } = rig
  await open('before', 0)
  await add('notes', http.url('a'))
  const other = { tenant_id, user_id: 'bob', session_id: 'before' }
  await expect(hub.sessions.open(other)).rejects.toMatchObject({ code: 'not_found' })
  expect(namesOf(hub, 'before')).toEqual([])
  expect(hub.servers.visibleTo(ada)).toHaveLength(1)
  expect(hub.servers.visibleTo(ada, 'before')).toHaveLength(0)
  expect(hub.servers.visibleTo({ ...ada, user_id: 'bob' }, 'before')).toHaveLength(0)
})

function inSession(session_id: string | undefined): CallContext {
  return toContext(ada, { session_id, approver: { kind: 'auto', setting: 'test' } })
}

function namesOf(hub: Hub, session_id: string): string[] {
  const tools = hub.listTools(inSession(session_id))
  return tools.filter(({ own }) => own === undefined).map(({ wire_name }) => wire_name)
}

function toConfig(name: string, url: string) {
  return { name, url, transport: 'http' } as const
}

async function expectReaches(
  hub: Hub,
  http: TestHttp,
  { session_id, server }: { session_id: string | undefined; server: string },
): Promise<void> {
  const before = http.calls(server).length
  const outcome = await hub.callTool(inSession(session_id), { tool: echo, args: { message: 'x' } })
  expect(outcome).toMatchObject({ status: 'ok' })
  expect(http.calls(server).length - before).toBe(1)
}

/** A hub in which everyone may use everything, and servers for Ada to add. */
async function setUp(options: Partial<HubOptions> = {}) {
  const cleanup = new AsyncDisposableStack()
  const http = cleanup.use(await startTestHttp())
  const settings = { defaultAllow: everything }
  const { hub } = cleanup.use(await startTestHub({ ...options, settings }))
  return {
    hub,
    http,
    /** Settles when the session has so many tools of servers. */
    async open(session_id: string, tools: number) {
      await hub.sessions.open({ tenant_id, user_id: 'ada', session_id })
      cleanup.defer(hub.upstreams.hold({ tenant_id, user_id: 'ada', session_id }))
      await waitFor(() => namesOf(hub, session_id).length === tools, { timeoutMs: 15_000 })
    },
    add(name: string, url: string, more: Partial<ServerConfigInput> = {}) {
      const config = { ...toConfig(name, url), ...more } as ServerConfigInput
      return hub.servers.register(ada, { scope: 'user', config })
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
