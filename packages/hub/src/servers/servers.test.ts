import { expect, test } from 'vitest'
import { createServers } from './servers.ts'
import {
  admin,
  ana,
  aServer,
  bo,
  createTestServers,
  createTestVault,
  failureOf,
  otherAdmin,
  recordChanges,
  remote,
} from './test-servers.ts'
import { toServerInfo } from './to-server-info.ts'

test('a sixth server of a user is refused, naming the limit [D31]', async () => {
  const { servers } = createTestServers()
  for (const n of [1, 2, 3, 4, 5]) await servers.register(ana, aServer(`s${n}`, 'user'))
  const failure = await failureOf(servers.register(ana, aServer('s6', 'user')))
  expect(failure).toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining('at most 5 servers'),
  })
  await servers.register(bo, aServer('s6', 'user'))
  await servers.remove(ana, servers.visibleTo(ana).at(-1)!.server_id)
  await servers.register(ana, aServer('s6', 'user'))
})

test('the limits are those of the caller and count the whole tenant [D31] [D35]', async () => {
  const { servers } = createTestServers({ quotaOf: () => ({ perOwner: 1, perTenant: 3 }) })
  await servers.register(ana, aServer('a', 'user'))
  const second = await failureOf(servers.register(ana, aServer('b', 'user')))
  expect(second.message).toContain('at most 1')
  await servers.register(bo, aServer('a', 'user'))
  await servers.register(admin, aServer('a'))
  const fourth = await failureOf(servers.register(admin, aServer('b')))
  expect(fourth).toMatchObject({ code: 'quota_exceeded' })
})

test('the description is the name, and there are no keywords, by default [B5.1]', async () => {
  const { servers, means } = createTestServers()
  const { server_id, config } = await servers.register(admin, aServer('orders'))
  expect(config).toMatchObject({ description: 'orders', trigger_keywords: [] })
  const renamed = await servers.update(admin, server_id, {
    ...remote('sales'),
    description: 'orders',
  })
  expect(renamed.config.description).toBe('sales')
  const described = await servers.update(admin, server_id, {
    ...remote('sales', { trigger_keywords: ['订单'] }),
    description: 'All orders',
  })
  expect(described.config).toMatchObject({ description: 'All orders', trigger_keywords: ['订单'] })
  const other = createServers(means)
  await other.reload()
  expect(other.get('t1', server_id)?.config).toEqual(
    expect.objectContaining({ description: 'All orders', trigger_keywords: ['订单'] }),
  )
})

test('a secret whose view is sent back stays, one left out goes', async () => {
  const { servers, means } = createTestServers()
  const headers = { Authorization: 'Bearer abcdefghijklmnopqrstuvwxyz', Old: 'x', Gone: 'y' }
  const config = remote('a', { headers, proxy: 'http://u:p@proxy.example:8080' })
  const server = await servers.register(admin, { scope: 'tenant', config })
  const shown = toServerInfo(server)
  if (shown.transport === 'stdio') throw new Error('not remote')
  const { Authorization } = shown.headers
  expect(Authorization).toEqual({ set: true, last4: 'wxyz' })
  await servers.update(admin, server.server_id, {
    ...remote('a'),
    headers: { Authorization: Authorization!, Old: 'new' },
    proxy: { set: true },
  })
  const reader = createServers(means)
  await reader.reload()
  for (const { config: stored } of [...servers.all(), ...reader.all()]) {
    if (stored.transport === 'stdio') throw new Error('not remote')
    expect(Object.keys(stored.headers).sort()).toEqual(['Authorization', 'Old'])
    expect(stored.headers.Authorization?.reveal()).toBe(headers.Authorization)
    expect(stored.headers.Old?.reveal()).toBe('new')
    expect(stored.proxy?.reveal()).toBe('http://u:p@proxy.example:8080')
  }
})

test('a view of a secret that is not stored is refused by its field', async () => {
  const { servers } = createTestServers()
  const { server_id } = await servers.register(admin, aServer('a'))
  for (const key of ['Authorization', 'constructor']) {
    const sent = { ...remote('a'), headers: { [key]: { set: true as const } } }
    const failure = await failureOf(servers.update(admin, server_id, sent))
    expect(failure).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(`headers.${key}`),
    })
  }
})

test('an update with the revision of an older state is a conflict', async () => {
  const { servers } = createTestServers()
  const { server_id, revision } = await servers.register(admin, aServer('a'))
  const updated = await servers.update(admin, server_id, remote('b'), revision)
  expect(updated.revision).toBeGreaterThan(revision)
  const late = await failureOf(servers.update(admin, server_id, remote('c'), revision))
  expect(late).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('read it again'),
  })
})

test('parallel changes of one server in two processes are made one after the other', async () => {
  const { servers, means } = createTestServers()
  const { server_id } = await servers.register(admin, aServer('a'))
  const other = createServers(means)
  await other.reload()
  const timeouts = [1, 2, 3, 4, 5, 6]
  await Promise.all(
    timeouts.map((timeout) =>
      [servers, other][timeout % 2]!.update(admin, server_id, remote('a', { timeout })),
    ),
  )
  await Promise.all([servers.reload(), other.reload()])
  expect(servers.get('t1', server_id)?.config).toEqual(other.get('t1', server_id)?.config)
})

test('a reload tells of what has changed and of nothing else', async () => {
  const { servers, means, published } = createTestServers()
  await servers.register(admin, aServer('stays'))
  const { server_id: changed } = await servers.register(admin, aServer('changes'))
  const { server_id: gone } = await servers.register(admin, aServer('goes'))
  await servers.register(otherAdmin, aServer('far'))
  const other = createServers(means)
  await other.reload()
  const told = recordChanges(other)
  await servers.update(admin, changed, remote('changes', { timeout: 5 }))
  await servers.remove(admin, gone)
  await servers.register(admin, aServer('comes'))
  await servers.register(otherAdmin, aServer('farther'))
  await other.reload('t1')
  expect(told.sort()).toEqual(['removed goes', 'set changes', 'set comes'])
  await other.reload('t1')
  expect(told).toHaveLength(3)
  await other.reload()
  expect(told.at(-1)).toBe('set farther')
  expect(published).toContain('t1')
})

test('a reload that comes in between does not undo a change of this process', async () => {
  const { servers, changes } = createTestServers()
  const work = Array.from({ length: 20 }, (_, n) => n).flatMap((n) => [
    servers.register(admin, aServer(`s${n}`)),
    servers.reload('t1'),
  ])
  await Promise.all(work)
  expect(servers.all()).toHaveLength(20)
  expect(changes.filter((text) => text.startsWith('removed'))).toEqual([])
})

test('a server whose secrets cannot be opened is broken, the others load [A1.5]', async () => {
  const { servers, means, rows } = createTestServers()
  const headers = { Authorization: 'Bearer x' }
  const broken = await servers.register(admin, {
    scope: 'tenant',
    config: remote('sealed', { headers, proxy: 'http://proxy.example' }),
  })
  await servers.register(admin, aServer('plain'))
  const other = createServers({ ...means, vault: createTestVault() })
  await other.reload()
  const [held] = other.all().filter((server) => server.broken)
  expect(held?.server_id).toBe(broken.server_id)
  expect(await other.resolveFor(held!, null)).toMatchObject({ status: 'broken' })
  expect(toServerInfo(held!)).toMatchObject({ status: 'error', proxy: { set: true } })
  expect(other.all()).toHaveLength(2)
  const kept = { ...remote('sealed'), headers: { Authorization: { set: true as const } } }
  expect((await failureOf(other.update(admin, broken.server_id, kept))).code).toBe(
    'invalid_request',
  )
  const mended = await other.update(admin, broken.server_id, remote('sealed', { headers }))
  expect(mended.broken).toBeUndefined()
  expect(rows.servers.size).toBe(2)
})

test('a row that another version wrote is broken, the others load', async () => {
  const { servers, means, rows } = createTestServers()
  await servers.register(admin, aServer('a'))
  await servers.register(admin, aServer('b'))
  const [key, row] = [...rows.servers][0]!
  rows.servers.set(key, { ...row, config: '{"name":"a","transport":"carrier pigeon"}' })
  const other = createServers(means)
  await other.reload()
  expect(other.all().map(({ broken }) => broken !== undefined)).toEqual([true, false])
})

test('an envelope moved to another server does not open', async () => {
  const { servers, means, rows } = createTestServers()
  const headers = { Authorization: 'Bearer x' }
  await servers.register(admin, { scope: 'tenant', config: remote('a', { headers }) })
  await servers.register(admin, aServer('b'))
  const [from, to] = [...rows.servers.values()]
  rows.servers.set(JSON.stringify(['t1', 'b']), { ...to!, secrets: from!.secrets })
  const other = createServers(means)
  await other.reload()
  expect(other.get('t1', 'b')?.broken).toBeDefined()
  expect(other.get('t1', 'a')?.broken).toBeUndefined()
})

test('servers with one way out have one key, others never, and it tells nothing', async () => {
  const { servers } = createTestServers()
  const keyOf = async (fields: object, name = 'a') => {
    const { server_id } = await servers.register(admin, {
      scope: 'tenant',
      config: remote(name, fields),
    })
    const resolved = await servers.resolveFor(servers.get('t1', server_id)!, 'ana')
    await servers.remove(admin, server_id)
    return resolved.status === 'ok' ? resolved.credential_key : resolved.status
  }
  const headers = { Authorization: 'Bearer secret-text' }
  const key = await keyOf({ headers })
  expect(await keyOf({ headers, timeout: 5, description: 'other' })).toBe(key)
  expect(await keyOf({ headers: { Authorization: 'Bearer other' } })).not.toBe(key)
  expect(await keyOf({ headers, proxy: 'http://proxy.example' })).not.toBe(key)
  expect(await keyOf({ headers }, 'b')).not.toBe(key)
  expect(key).toMatch(/^[\w-]{43}$/)
})

test('the key of a way out is the same in every process of an installation', async () => {
  const { servers, means } = createTestServers()
  await servers.register(admin, { scope: 'tenant', server_id: 'a', config: remote('a', {}) })
  const other = createServers(means)
  await other.reload()
  const keys = [servers, other].map((one) => one.resolveFor(one.get('t1', 'a')!, null))
  const [first, second] = await Promise.all(keys)
  expect(first).toMatchObject({ status: 'ok' })
  expect(second).toMatchObject({ credential_key: first?.status === 'ok' && first.credential_key })
})

test('a server that goes elsewhere takes no credential along', async () => {
  const { servers } = createTestServers()
  const headers = { Authorization: 'Bearer secret-text' }
  const { server_id } = await servers.register(admin, {
    scope: 'tenant',
    config: remote('a', { headers, credentials: 'user' }),
  })
  const ana = { tenant_id: 't1', user_id: 'ana', role: 'user' } as const
  await servers.setCredential(ana, server_id, { headers: { Authorization: 'Bearer of-ana' } })
  const view = { Authorization: { set: true as const } }
  const moved = { url: 'https://elsewhere.example/mcp', credentials: 'user' as const }
  const keeping = servers.update(admin, server_id, { ...moved, headers: view })
  await expect(keeping).rejects.toMatchObject({ code: 'invalid_request' })
  const same = {
    url: 'https://mcp.example/other-path',
    credentials: 'user' as const,
    headers: view,
  }
  await servers.update(admin, server_id, same)
  expect(await servers.resolveFor(servers.get('t1', server_id)!, 'ana')).toMatchObject({
    status: 'ok',
  })
  await servers.update(admin, server_id, { ...moved, headers: { Authorization: 'Bearer fresh' } })
  const after = await servers.resolveFor(servers.get('t1', server_id)!, 'ana')
  expect(after).toEqual({ status: 'needs_credential' })
})
