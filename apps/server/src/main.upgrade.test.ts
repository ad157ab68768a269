import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createKeyring, createVault, readKeyFile } from '@dataagent/store/secrets'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'

const fixture = fileURLToPath(new URL('./start/fixtures/first-version.tar.gz', import.meta.url))
const adminKey = 'da_T13g45eisZQD_4eGAMuBirrWPGHx5gvf946fkDbuFvOEDo25liwTZYbY_3Gy4qQ'
const adaKey = 'da_oXQOxJZ3nAlh_sYNENfssV3oScg3EKK5NUAnvwA2EkKnBc4rFKuFLnrH_0zAHL6'
const groupKey = 'mk_zzd0oSldPe7QjGTpc2pIRkpoOS6rwZysGJFIV8ydxd4'
/** What is in it grows old. */
const env = {
  ...{ DATAAGENT_SESSION_KEEP_DAYS: '36500', DATAAGENT_RETENTION_DAYS: '36500' },
  DATAAGENT_MEMORY_RETENTION_DAYS: '36500',
}

test('a data directory of the first version is taken over with all that is in it, and a second start changes nothing', async () => {
  await using place = await unpacked()
  await runAndStop(place.dataDir, async (server) => {
    const { sessions } = await get(server, adaKey, '/sessions')
    const titles = (sessions as { title: string }[]).map(({ title }) => title).sort()
    expect(titles).toEqual(['Hello, who are you?', 'Remember that I like green tea.'])
    const [{ session_id }] = sessions as [{ session_id: string }]
    const { messages } = await get(server, adaKey, `/sessions/${session_id}/messages`)
    expect(messages).toHaveLength(2)
    const { facts } = await get(server, adaKey, '/memory?assistant_id=default')
    expect(facts).toMatchObject([{ text: 'I like green tea.', by: 'assistant' }])
    expect(await get(server, adaKey, '/files?path=files')).toMatchObject({
      entries: [{ path: expect.stringContaining('note.txt') }],
    })
    const wiki = await get(server, adminKey, '/mcp-servers/wiki')
    expect(wiki).toMatchObject({ name: 'wiki', headers: { Authorization: { set: true } } })
    expect((await post(server, '/mcp-groups/all/key/copy')).key).toBe(groupKey)
    const approval = await get(server, adminKey, `/approvals/${approval_id}`)
    expect(approval).toMatchObject({ approval_id, tool_name: 'read_result' })
    expect(await post(server, '/audit/verify')).toMatchObject({ ok: true })
    const { calls } = await get(server, adminKey, '/audit/calls')
    expect((calls as unknown[]).length).toBeGreaterThanOrEqual(3)
  })
  expect(await openHeaders(place.dataDir)).toMatchObject({
    ...{ headers: { Authorization: 'Bearer of-the-wiki' } },
  })
  const before = contentOf(place.dataDir)
  await runAndStop(place.dataDir, async () => {})
  expect(contentOf(place.dataDir)).toEqual(before)
}, 90_000)

test('a data directory of a newer version is refused, in words, and is left as it is', async () => {
  await using place = await unpacked()
  const path = join(place.dataDir, 'dataagent.db')
  const db = new DatabaseSync(path)
  db.exec("insert into schema_migrations (name, applied_at) values ('9999-newer', 1)")
  db.close()
  const before = contentOf(place.dataDir)
  await using server = runServer({ dataDir: place.dataDir, env })
  expect(await server.ended).toBe(2)
  expect(server.stderr()).toContain('of a newer version of the program: it has 9999-newer')
  expect(contentOf(place.dataDir)).toEqual(before)
})

const approval_id = '396a268c-ac3e-444d-bf22-50a30083d79f'

async function unpacked() {
  const place = await temporaryDirectory()
  const dataDir = join(place.path, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  execFileSync('tar', ['-xzf', fixture, '-C', dataDir])
  return { dataDir, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

async function runAndStop(dataDir: string, work: (server: ServerProcess) => Promise<void>) {
  await using server = runServer({ dataDir, env })
  await waitFor(async () => (await server.get('/api/v1/ready')).ok, { timeoutMs: 30_000 })
  await work(server)
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}

async function openHeaders(dataDir: string): Promise<unknown> {
  const keyring = createKeyring(await readKeyFile(join(dataDir, 'master.key')))
  const [row] = contentOf(dataDir).mcp_servers as [{ secrets: string }]
  const binding = { tenant: 'default', table: 'mcp_servers', row: 'wiki', column: 'secrets' }
  return JSON.parse(await createVault({ keyring }).open(row.secrets, binding))
}

/** Every row of every table. */
function contentOf(dataDir: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(dataDir, 'dataagent.db'))
  try {
    const tables = db.prepare("select name from sqlite_master where type = 'table'").all()
    return Object.fromEntries(
      tables.map(({ name }) => [name, db.prepare(`select * from "${name}"`).all()]),
    )
  } finally {
    db.close()
  }
}

async function get(server: ServerProcess, key: string, path: string) {
  const response = await server.get(`/api/v1${path}`, { 'x-api-key': key })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Record<string, unknown>
}

async function post(server: ServerProcess, path: string) {
  const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' }
  const url = `${await server.url()}/api/v1${path}`
  const response = await fetch(url, { method: 'POST', headers, body: '{}' })
  return (await response.json()) as Record<string, unknown>
}
