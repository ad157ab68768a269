import { expect, test } from 'vitest'
import type { EditionRow } from './contract.ts'
import { createFileServers } from './file-servers.ts'
import { createTestServerRows } from './test-server-rows.ts'
import { ana, bo, createTestServers, createTestVault, failureOf, remote } from './test-servers.ts'

const anas = { tenant_id: 't1', user_id: 'ana' }

/** A registry whose rows are a store's and those of files. */
function setUp({ editions = [] as EditionRow[] } = {}) {
  const stored = { ...createTestServerRows(), listEditions: async () => editions }
  const vault = createTestVault()
  const files = createFileServers({ rows: stored, vault })
  const { servers, changes } = createTestServers({ rows: files.rows, vault })
  const urls = (at?: number) =>
    servers.visibleTo(ana, at).map(({ config }) => 'url' in config && config.url)
  return {
    ...{ stored, files, servers, changes, urls },
    async setFiles(...configs: Parameters<typeof files.set>[1]) {
      await files.set(anas, configs)
      await servers.reload('t1')
    },
  }
}

const [one, two] = ['https://one.example/mcp', 'https://two.example/mcp']

test("servers of files are their user's alone, and are nowhere stored", async () => {
  const { servers, stored, files, setFiles } = setUp()
  await setFiles(remote('a', { headers: { Authorization: 'Bearer canary' } }))
  const [server] = servers.visibleTo(ana)
  expect(server).toMatchObject({ user_id: 'ana', tenant_id: 't1', config: { name: 'a' } })
  expect(files.has(server!)).toBe(true)
  expect(server?.config).toHaveProperty('headers.Authorization')
  expect(servers.visibleTo(bo)).toEqual([])
  expect(stored.servers.size).toBe(0)
})

test('they are set anew while sessions go on, which see them as they are now', async () => {
  const { setFiles, urls, changes } = setUp()
  await setFiles(remote('a', { url: one }))
  expect([urls(0), urls()]).toEqual([[one], [one]])
  await setFiles(remote('a', { url: two }), remote('b', { url: one }))
  expect([urls(0), urls()]).toEqual([
    [two, one],
    [two, one],
  ])
  await setFiles()
  expect([urls(0), urls()]).toEqual([[], []])
  expect(changes.map((change) => change.replace(/@.*/, ''))).toEqual([
    ...['set a', 'set a', 'set b', 'removed a', 'removed b'],
  ])
})

test('what has not changed is left alone', async () => {
  const { setFiles, changes } = setUp()
  await setFiles(remote('a', { url: one, headers: { A: '1', B: '2' } }))
  await setFiles(remote('a', { headers: { B: '2', A: '1' }, url: one }))
  expect(changes).toHaveLength(1)
  await setFiles(remote('a', { headers: { B: '3', A: '1' }, url: one }))
  expect(changes).toHaveLength(2)
})

test('their ids are the same at every start, whatever else is in the file', async () => {
  const idsOf = async (...names: string[]) => {
    const { setFiles, servers } = setUp()
    await setFiles(...names.map((name) => remote(name)))
    const ids = servers.visibleTo(ana).map(({ config, server_id }) => [config.name, server_id])
    return Object.fromEntries(ids) as Record<string, string>
  }
  const all = await idsOf('数据库', '订单', 'git')
  expect(new Set(Object.values(all)).size).toBe(3)
  expect(await idsOf('git', '订单')).toEqual({ git: all.git, 订单: all.订单 })
})

test("the file's stands before one of the same name that the user has stored, and gives it back", async () => {
  const { setFiles, servers, urls } = setUp()
  const config = remote('a', { url: one })
  const { server_id } = await servers.register(ana, { scope: 'user', config })
  await setFiles(remote('a', { url: two }))
  expect([urls(), servers.get('t1', server_id)]).toEqual([[two], undefined])
  await setFiles()
  expect(urls()).toEqual([one])
  expect(servers.get('t1', server_id)).toBeDefined()
})

test("a session that began with a stored one of the name has the file's too", async () => {
  const { stored, setFiles, urls, servers } = setUp({ editions: [] })
  const { server_id } = await servers.register(ana, {
    ...{ scope: 'user', config: remote('a', { url: one }) },
  })
  const [row] = await stored.list('t1')
  const edition = { ...row!, server_id: `${server_id}#1`, origin: server_id, superseded_by: 9 }
  const later = setUp({ editions: [edition] })
  await later.setFiles()
  expect(later.urls(5)).toEqual([one])
  await later.setFiles(remote('a', { url: two }))
  expect(later.urls(5)).toEqual([two])
  await setFiles()
  expect(urls()).toEqual([one])
})

test('they are changed and removed in their file alone', async () => {
  const { setFiles, servers } = setUp()
  await setFiles(remote('a'))
  const { server_id } = servers.visibleTo(ana)[0]!
  const tries = [
    servers.update(ana, server_id, { url: two }),
    servers.remove(ana, server_id),
    servers.switchOff({ ...ana, role: 'platform_admin' }, servers.visibleTo(ana)[0]!),
  ]
  for (const trying of tries) {
    const error = await failureOf(trying)
    expect([error.code, error.message]).toEqual(['forbidden', expect.stringContaining('mcp.json')])
  }
  const adding = servers.register(ana, { scope: 'user', config: remote('a') })
  expect(await failureOf(adding)).toMatchObject({ code: 'conflict' })
})

test.each([
  ['a field that there is not', remote('b', { nmae: 'c' })],
  ['our own name', remote('dataagent')],
  ['a name that is there twice', remote('a')],
])('with %s nothing of it is taken', async (_, bad) => {
  const { setFiles, urls } = setUp()
  await setFiles(remote('a', { url: one }))
  const error = await failureOf(setFiles(remote('a', { url: two }), bad))
  expect(error.code).toBe('invalid_request')
  expect(urls()).toEqual([one])
})
