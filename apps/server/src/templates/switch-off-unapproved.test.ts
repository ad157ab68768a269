import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Principal } from '@dataagent/hub'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { people, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { switchOffUnapproved } from './switch-off-unapproved.ts'

const { operator, ada, bob, zoe } = people
const clock = { command: '/bin/date', args: ['+%s'] }
const approved = [{ name: 'clock', ...clock, env: ['TZ'] }]

const approve = (server: TestPlatform, templates: unknown[]) =>
  server.ask('PUT', '/mcp-servers/templates', { as: 'operator', json: { templates } })

async function add({ platform }: TestPlatform, by: Principal, fields: object = {}) {
  const config = { name: 'clock', ...clock, ...fields }
  return platform.hub.servers.register(by, { scope: 'user', config })
}

const isOff = ({ platform }: TestPlatform, { tenant_id }: Principal, server_id: string) =>
  platform.hub.servers.get(tenant_id, server_id)?.config.disabled

const meansOf = ({ platform }: TestPlatform) => ({
  ...{ servers: platform.hub.servers, users: platform.tables.users },
  ...{ gate: platform.templates.gate, log: platform.log },
})

function execute(dir: string, sql: string): void {
  using database = new DatabaseSync(join(dir, 'dataagent.db'), { timeout: 10_000 })
  database.exec(sql)
}

test('one whose secrets cannot be opened is switched off, and its secrets stay', async () => {
  await using dir = await temporaryDirectory()
  const before = await startTestPlatform({ dir: dir.path })
  await approve(before, approved)
  const { server_id } = await add(before, ada, { env: { TZ: 'UTC' } })
  const other = await add(before, zoe)
  await before[Symbol.asyncDispose]()
  execute(dir.path, `update mcp_servers set secrets = 'lost' where server_id = '${server_id}'`)
  await using server = await startTestPlatform({ dir: dir.path })
  expect(server.platform.hub.servers.get('acme', server_id)?.broken).toBeDefined()
  expect((await approve(server, [])).status).toBe(200)
  expect(isOff(server, ada, server_id)).toBe(true)
  expect(isOff(server, zoe, other.server_id)).toBe(true)
  using database = new DatabaseSync(join(dir.path, 'dataagent.db'), { readOnly: true })
  const stored = database.prepare('select secrets from mcp_servers where server_id = ?')
  expect(stored.get(server_id)).toEqual({ secrets: 'lost' })
})

test('one that cannot be stored is told to the operator, and does not stop the others', async () => {
  await using server = await startTestPlatform()
  await approve(server, approved)
  const [first, second, third] = [
    await add(server, ada),
    await add(server, bob),
    await add(server, zoe),
  ]
  execute(
    server.dir,
    `create trigger stuck before update on mcp_servers when old.server_id = '${first.server_id}'
    begin select raise(abort, 'stuck'); end`,
  )
  expect((await approve(server, [])).status).toBe(200)
  expect(isOff(server, bob, second.server_id)).toBe(true)
  expect(isOff(server, zoe, third.server_id)).toBe(true)
  const told = server.records.filter(({ message }) => /no longer approved/.test(String(message)))
  expect(told).toMatchObject([{ tenant_id: 'acme', server_id: first.server_id }])
})

test('one that its user changes at that moment is looked at again', async () => {
  await using server = await startTestPlatform()
  await using other = await startTestPlatform({ dir: server.dir })
  await approve(server, approved)
  await waitFor(() => other.platform.templates.list().length === 1, { timeoutMs: 10_000 })
  const { server_id } = await add(server, ada)
  const { users, ...means } = meansOf(server)
  const gate = { check: () => Promise.reject(forbidden) }
  let asked = 0
  /** Between the look at the server and the change of it. */
  const get: typeof users.get = async (...who) => {
    asked += 1
    if (asked === 1) {
      await other.platform.hub.servers.reload()
      await other.platform.hub.servers.update(ada, server_id, { ...clock, description: 'new' })
    }
    return users.get(...who)
  }
  const forbidden = await failureOf(() => add(server, bob, { command: '/bin/other' }))
  await switchOffUnapproved(operator, { ...means, gate, users: { get } })
  expect(asked).toBe(2)
  const { config } = server.platform.hub.servers.get('acme', server_id)!
  expect(config).toMatchObject({ disabled: true, description: 'new' })
})

test('one that another process has just added is seen, and ends there too', async () => {
  await using server = await startTestPlatform()
  await using other = await startTestPlatform({ dir: server.dir })
  await approve(server, approved)
  await waitFor(() => other.platform.templates.list().length === 1, { timeoutMs: 10_000 })
  const { server_id } = await add(other, ada)
  await approve(server, [])
  expect(isOff(server, ada, server_id)).toBe(true)
  await waitFor(() => isOff(other, ada, server_id) === true, { timeoutMs: 10_000 })
})

test('a process that hears of other templates looks at its servers itself', async () => {
  await using server = await startTestPlatform()
  const { templates, tables, hub } = server.platform
  await approve(server, approved)
  const { server_id } = await add(server, ada)
  // As another process does that ended before it had switched anything off.
  await tables.settings.change('command_templates', '{"templates":[]}')
  await waitFor(() => isOff(server, ada, server_id) === true, { timeoutMs: 10_000 })
  expect(templates.list()).toEqual([])
  const [change] = await hub.audit.changes(people.boss, { kind: 'server', limit: 1, offset: 0 })
  expect(change).toMatchObject({ by_tenant: '*', user_id: null, action: 'disabled' })
})

test('what administrators of a tenant share ends with its approval, what the platform shares stays', async () => {
  await using server = await startTestPlatform()
  const { users } = server.platform.tables
  await approve(server, approved)
  const times = { created_at: 1, disabled_at: null }
  const chief = { tenant_id: 'acme', user_id: 'chief', role: 'platform_admin' } as const
  await users.create({ ...chief, name: 'Chief', ...times })
  const share = async (by: Principal, scope: 'tenant' | 'platform', name: string) => {
    const config = { name, ...clock }
    return (await server.platform.hub.servers.register(by, { scope, config })).server_id
  }
  const shared = await share(people.boss, 'tenant', 'shared')
  const chiefs = await share(chief, 'tenant', 'chiefs')
  const platforms = await share(operator, 'platform', 'platforms')
  expect((await approve(server, [])).status).toBe(200)
  expect(isOff(server, people.boss, shared)).toBe(true)
  expect(isOff(server, chief, chiefs)).toBe(false)
  expect(isOff(server, { ...operator, tenant_id: '*' }, platforms)).toBe(false)
})

test('with one tenant, what its administrators share needs no approval', async () => {
  await using server = await startTestPlatform({ config: { multi_tenant: false } })
  await approve(server, approved)
  const config = { name: 'shared', command: '/bin/date' }
  const place = { scope: 'tenant', config } as const
  const { server_id } = await server.platform.hub.servers.register(people.boss, place)
  await approve(server, [])
  expect(isOff(server, people.boss, server_id)).toBe(false)
})

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
