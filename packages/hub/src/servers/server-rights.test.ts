import { serverConfigSchema } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createServerGate } from './server-gate.ts'
import {
  admin,
  ana,
  aServer,
  bo,
  createTestServers,
  failureOf,
  otherAdmin,
  platformAdmin,
  remote,
} from './test-servers.ts'

const namesOf = (servers: readonly { config: { name: string } }[]) =>
  servers.map(({ config }) => config.name).sort()

test('a user sees their own servers, the shared ones and those of the platform', async () => {
  const { servers } = createTestServers()
  await servers.register(platformAdmin, aServer('everywhere', 'platform'))
  await servers.register(admin, aServer('shared'))
  await servers.register(otherAdmin, aServer('elsewhere'))
  await servers.register(ana, aServer('mine', 'user'))
  await servers.register(bo, aServer('his', 'user'))
  expect(namesOf(servers.visibleTo(ana))).toEqual(['everywhere', 'mine', 'shared'])
  expect(namesOf(servers.visibleTo(bo))).toEqual(['everywhere', 'his', 'shared'])
  expect(namesOf(servers.visibleTo({ tenant_id: 't1', user_id: null }))).toEqual([
    'everywhere',
    'shared',
  ])
  expect(servers.visibleTo(ana)).toBe(servers.visibleTo(ana))
  expect(servers.all()).toHaveLength(5)
})

test("a user's server stands for the shared one of the same name [D30]", async () => {
  const { servers } = createTestServers()
  await servers.register(platformAdmin, aServer('files', 'platform'))
  await servers.register(admin, { ...aServer('files'), server_id: 'files-t1' })
  const own = await servers.register(ana, aServer('files', 'user'))
  expect(servers.visibleTo(ana)).toEqual([own])
  expect(servers.visibleTo(bo).map(({ server_id }) => server_id)).toEqual(['files-t1'])
})

test.each([
  ['platform', platformAdmin, [admin, ana]],
  ['tenant', admin, [ana]],
] as const)('the scope %s is filled by those who manage it', async (scope, may, mayNot) => {
  const { servers } = createTestServers()
  const { server_id } = await servers.register(may, aServer('a', scope))
  for (const principal of mayNot) {
    for (const attempt of [
      servers.register(principal, aServer('b', scope)),
      servers.update(principal, server_id, remote('c')),
      servers.remove(principal, server_id),
    ]) {
      expect((await failureOf(attempt)).code).toBe('forbidden')
    }
  }
})

test.each([
  ['one that there is not', 'global'],
  ['none', undefined],
  ['a list', ['user']],
  ['an inherited name', 'constructor'],
])('the scope %s is refused, whoever asks', async (_what, scope) => {
  const { servers, rows } = createTestServers()
  for (const principal of [ana, admin, platformAdmin]) {
    const asked = servers.register(principal, { ...aServer('a'), scope: scope as never })
    expect(await failureOf(asked)).toMatchObject({ code: 'invalid_request' })
  }
  expect(rows.servers.size).toBe(0)
})

test.each([
  ["an administrator of the platform's tenant", { ...admin, tenant_id: '*' }],
  ['an administrator without a tenant', { ...admin, tenant_id: '' }],
  ['an administrator with an empty id', { ...admin, user_id: '' }],
  ['a user with an empty id', { ...ana, user_id: '' }],
  ['a user who is every user', { ...ana, user_id: '*' }],
])('%s fills no scope and takes no administrator’s way', async (_who, principal) => {
  const { servers, rows } = createTestServers()
  const config = remote('a', { credentials: 'user' })
  const { server_id } = await servers.register(admin, { scope: 'tenant', config })
  for (const scope of ['platform', 'tenant', 'user'] as const) {
    const asked = servers.register(principal, aServer('b', scope))
    expect((await failureOf(asked)).code).toBe('forbidden')
  }
  for (const attempt of [
    servers.update(principal, server_id, remote('c')),
    servers.remove(principal, server_id),
    servers.setCredential(principal, server_id, { headers: { Authorization: 'Bearer x' } }),
  ]) {
    expect((await failureOf(attempt)).code).toMatch(/^(forbidden|not_found)$/)
  }
  const command = serverConfigSchema.parse({ name: 'x', command: 'sh' })
  expect(() => createServerGate().check(principal, command, 'tenant')).toThrow('administrator')
  expect(rows.servers.size).toBe(1)
})

test("the platform's tenant has servers of the scope platform alone", async () => {
  const { servers } = createTestServers()
  const root = { ...platformAdmin, tenant_id: '*' }
  for (const scope of ['tenant', 'user'] as const) {
    const asked = servers.register(root, aServer('a', scope))
    expect((await failureOf(asked)).code).toBe('forbidden')
  }
  const server = await servers.register(root, aServer('a', 'platform'))
  expect(server).toMatchObject({ tenant_id: '*', user_id: null })
})

test('a machine has no servers of its own', async () => {
  const { servers } = createTestServers()
  const machine = { ...ana, user_id: null }
  const failure = await failureOf(servers.register(machine, aServer('a', 'user')))
  expect(failure.code).toBe('forbidden')
})

test('an agent registers no server, whoever it works for', async () => {
  const { servers } = createTestServers()
  for (const scope of ['tenant', 'user'] as const) {
    const register = servers.register(
      { ...admin, agent_id: 'a' },
      { scope, config: remote('a', {}) },
    )
    await expect(register).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('what belongs to others is not found, in the words for what does not exist', async () => {
  const { servers } = createTestServers()
  const { server_id } = await servers.register(ana, aServer('secret-project', 'user'))
  const shared = await servers.register(admin, aServer('shared'))
  const attempts = [
    ...[bo, otherAdmin, platformAdmin].map((principal) => [principal, server_id] as const),
    [otherAdmin, shared.server_id] as const,
  ]
  for (const [principal, id] of attempts) {
    for (const verb of ['update', 'remove', 'setCredential', 'removeCredential'] as const) {
      const ask = (wanted: string) =>
        verb === 'update'
          ? servers.update(principal, wanted, remote('x'))
          : servers[verb](principal, wanted, { headers: { Authorization: 'x' } })
      const [real, invented] = [await failureOf(ask(id)), await failureOf(ask('made-up'))]
      expect(real.code).toBe('not_found')
      expect(real.message.replace(id, '?')).toBe(invented.message.replace('made-up', '?'))
    }
  }
})

test('no name or id that a user tries tells them of the servers of others', async () => {
  const { servers } = createTestServers()
  const hers = await servers.register(ana, { ...aServer('plans', 'user'), server_id: 'plans' })
  const his = await servers.register(bo, { ...aServer('plans', 'user'), server_id: 'plans' })
  expect(hers.server_id).not.toBe(his.server_id)
  const shared = await servers.register(admin, { ...aServer('plans'), server_id: 'plans' })
  expect(shared.server_id).toBe('plans')
})

test("an administrator changes, disables and removes a user's server, and sets no credential", async () => {
  const { servers } = createTestServers()
  const { server_id } = await servers.register(ana, aServer('hers', 'user'))
  const off = await servers.update(admin, server_id, remote('hers', { disabled: true }))
  expect(off).toMatchObject({ user_id: 'ana', config: { disabled: true } })
  const credential = servers.setCredential(admin, server_id, { headers: { Authorization: 'x' } })
  expect((await failureOf(credential)).code).toBe('not_found')
  const agent = servers.remove({ ...admin, agent_id: 'a' }, server_id)
  expect((await failureOf(agent)).code).toBe('not_found')
  await servers.remove(admin, server_id)
  expect(servers.all()).toEqual([])
})
