import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecret } from '@dataagent/schema'
import { createDatabase, findService, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform, type TestRequest } from '../testing/test-platform.ts'

const secret = 'sk-never-to-be-exported'
/** A turn about waiting has no end of its own. */
const script = (request: { body: unknown }) =>
  JSON.stringify(request.body).includes('wait for it')
    ? { text: 'word '.repeat(5_000), itl: 50 }
    : 'Hello.'

for (const kind of ['sqlite', 'mysql', 'postgres'] as const) {
  const isMissing = kind !== 'sqlite' && !(await findService(kind))
  describe.skipIf(isMissing)(`a tenant on ${kind}`, () => {
    test('is exported without secrets, then deleted with its work, rows and files; another is as it was [D35.3]', async () => {
      await using cleanup = new AsyncDisposableStack()
      const database = kind === 'sqlite' ? undefined : cleanup.use(await createDatabase(kind))
      const config = database && {
        ...{ session_store: kind, database_url: createSecret(database.url) },
      }
      await using server = await startTestPlatform({ script, ...(config && { config }) })
      const [initech, umbrella] = [await fill(server, 'initech'), await fill(server, 'umbrella')]
      const before = await readAll(server, 'umbrella')
      expect(before.at(-1)).toMatchObject({ kind: 'end', files: 2 })

      await makeHardToRead(join(server.dir, 'workspaces', '@initech', 'ina', 'files'))
      const lines = await readAll(server, 'initech')
      expect(lines.at(-1)).toMatchObject({ kind: 'end', files: 2, left_out: 1 })
      expect(lines.filter(({ kind }) => kind === 'left_out')).toEqual([
        { kind: 'left_out', file: 'workspaces/@initech/ina/files/a\\b.txt' },
      ])
      const text = JSON.stringify(lines)
      for (const one of [secret, initech.key, initech.groupKey, 'umbrella', 'v1.'])
        expect(text).not.toContain(one)
      const tables = new Set(lines.map(({ table }) => table))
      for (const table of ['users', 'sessions', 'events', 'messages', 'mcp_servers', 'hub_changes'])
        expect(tables).toContain(table)
      const file = lines.find(({ file }) => file === 'workspaces/@initech/ina/files/note.txt')
      expect(Buffer.from(String(file?.base64), 'base64').toString()).toBe('of initech')

      const waiting = ask(server, initech.key, 'POST', '/chat', {
        json: { message: 'wait for it' },
      })
      await waitFor(async () => (await openRuns(server)) === 1)
      const removed = await server.ask('DELETE', '/tenants/initech', { as: 'operator' })
      expect(removed.status).toBe(204)
      expect((await waiting).body).not.toMatchObject({ status: 'done' })
      expect(await openRuns(server)).toBe(0)

      expect(await rowsOf(server, 'initech')).toEqual([])
      expect((await filesOf(server)).filter((path) => path.includes('initech'))).toEqual([])
      expect(await keysNaming(server, 'initech')).toEqual([])
      expect((await ask(server, initech.key, 'GET', '/me')).status).toBe(401)
      expect((await server.ask('GET', '/tenants/initech', { as: 'operator' })).status).toBe(404)
      expect(await notes(server)).toContainEqual(
        expect.objectContaining({ kind: 'tenant', target: 'initech', action: 'removed' }),
      )
      const after = await readAll(server, 'umbrella')
      expect(essence(after)).toEqual(essence(before))
      expect((await ask(server, umbrella.key, 'GET', '/me')).status).toBe(200)
    }, 120_000)
  })
}

test('a tenant made anew under the same name has an audit of its own', async () => {
  await using server = await startTestPlatform({ script })
  for (const rows of [2, 1]) {
    const { key } = await fill(server, 'initech')
    // What is refused is a call too.
    for (let made = 0; made < rows; made += 1) {
      await ask(server, key, 'POST', '/tools/call', { json: { tool: 'no.such', args: {} } })
    }
    const report = await waitFor(async () => {
      const { body } = await ask(server, key, 'POST', '/audit/verify')
      return body.rows === rows && body
    })
    expect(report).toMatchObject({ ok: true, faults: [] })
    await server.ask('DELETE', '/tenants/initech', { as: 'operator' })
  }
}, 60_000)

test('the tenant default stays, and one that keys of the settings name', async () => {
  await using server = await startTestPlatform()
  for (const [tenant, told] of [
    ['default', 'that of the installation'],
    ['acme', 'DATAAGENT_API_KEYS'],
  ]) {
    const answer = await server.ask('DELETE', `/tenants/${tenant}`, { as: 'operator' })
    expect(answer).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    expect(answer.body.message).toContain(told)
  }
  const exported = await server.ask('GET', '/tenants/default/export', { as: 'operator' })
  expect(exported).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
})

const ask = (
  ...[server, key, method, path, request]: [TestPlatform, string, string, string, TestRequest?]
) =>
  server.ask(method, path, {
    ...request,
    as: null,
    headers: { ...request?.headers, 'x-api-key': key },
  })

/** A tenant with an administrator who has something of everything. */
async function fill(server: TestPlatform, tenant_id: string) {
  const operator = (path: string, json: object) =>
    server.ask('POST', path, { as: 'operator', json })
  await operator('/tenants', { tenant_id, name: tenant_id })
  await operator('/users', { tenant_id, user_id: 'ina', name: 'Ina', role: 'admin' })
  const of = `?tenant_id=${tenant_id}`
  const made = await operator(`/users/ina/api-keys${of}`, { name: 'first' })
  const key = String(made.body.key)
  const post = async (path: string, json: object, headers = {}) => {
    const answer = await ask(server, key, 'POST', path, { json, headers })
    expect([path, answer.status]).toEqual([path, expect.toSatisfy((status) => status < 300)])
    return answer.body
  }
  const headers = { authorization: `Bearer ${secret}` }
  await post('/mcp-servers', {
    config: { name: 'wiki', url: 'http://127.0.0.1:9/mcp', headers, disabled: true },
  })
  const provider = { provider_id: 'own', name: 'Own', kind: 'openai', models: ['m'] }
  await post('/model-providers', { ...provider, api_key: secret })
  const idempotent = { 'idempotency-key': 'once' }
  const group = { group_id: `of-${tenant_id}`, name: 'All', tools: [] }
  const { key: groupKey } = await post('/mcp-groups', group, idempotent)
  await post('/chat', { message: 'hello' }, { 'idempotency-key': 'again' })
  await ask(server, key, 'PUT', '/files/content?path=files/note.txt', {
    body: `of ${tenant_id}`,
    headers: { 'content-type': 'application/octet-stream' },
  })
  const owner = { tenant_id, user_id: 'ina', assistant_id: 'default' }
  await server.platform.memory.remember(owner, { text: 'Likes tea', by: 'user' })
  return { key, groupKey: String(groupKey) }
}

/** A name that the workspace does not open, and a path that is too long for the system. */
async function makeHardToRead(files: string): Promise<void> {
  await writeFile(join(files, 'a\\b.txt'), '')
  const long = `${'n'.repeat(250)}/`.repeat(10)
  for (const top of ['a', 'b']) await mkdir(join(files, top, long), { recursive: true })
  await rename(join(files, 'b'), join(files, 'a', long, 'b'))
}

async function readAll(server: TestPlatform, tenant_id: string) {
  const path = `/tenants/${tenant_id}/export`
  const { body } = await server.ask<string>('GET', path, { as: 'operator' })
  const lines = body.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Without what the export itself leaves: its time, its note and the revision of that. */
function essence(lines: Record<string, unknown>[]) {
  return lines.filter(
    ({ kind, table }) =>
      kind === 'file' || (kind === 'row' && table !== 'hub_changes' && table !== 'hub_revisions'),
  )
}

async function rowsOf({ platform }: TestPlatform, tenant_id: string) {
  const rows: unknown[] = []
  for await (const row of platform.tables.ofTenant.read(tenant_id)) rows.push(row)
  return rows
}

async function openRuns({ platform }: TestPlatform): Promise<number> {
  return (await platform.tables.runs.open(10, 'initech')).length
}

async function filesOf({ dir }: TestPlatform): Promise<string[]> {
  expect(existsSync(join(dir, 'workspaces', '@umbrella', 'ina', 'files', 'note.txt'))).toBe(true)
  return readdir(dir, { recursive: true })
}

async function keysNaming({ platform: { kv } }: TestPlatform, text: string): Promise<string[]> {
  const found: string[] = []
  for (const prefix of ['mcp:', 'chat:', 'idempotency:']) {
    const { keys } = await kv.list(prefix)
    for (const key of keys) if ((await kv.get(key))?.includes(text)) found.push(key)
    // Those of the other tenant alone are left.
    if (prefix !== 'mcp:')
      expect([prefix, keys.length]).toEqual([prefix, prefix === 'chat:' ? 1 : 2])
  }
  return found
}

async function notes(server: TestPlatform): Promise<unknown[]> {
  const { body } = await server.ask<{ changes: unknown[] }>('GET', '/audit/changes', {
    as: 'operator',
  })
  return body.changes
}
