import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSql } from '@dataagent/store/sql'
import { createDatabase, findService, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'

test('a backup under load, restored elsewhere, has all that was acknowledged before; its key signs in, secrets open, the audit verifies', async () => {
  await using place = await temporaryDirectory()
  const [dataDir, backup, other] = ['data', 'backup', 'other'].map((name) => join(place.path, name))
  await using server = runServer({ dataDir: dataDir! })
  const key = await server.shownKey()
  const { key: groupKey } = await post(server, key, '/mcp-groups', aGroup)
  await put(server, key, 'files/note.txt', 'kept')
  await symlink('/etc/hostname', join(dataDir!, 'workspaces', 'admin', 'files', 'link'))
  const approval_id = await addApproval(dataDir!)
  const load = startLoad(server, key)
  await waitFor(() => load.sessions.length > 5, { timeoutMs: 20_000 })
  const acknowledged = [...load.sessions]

  await using made = runServer({ dataDir: dataDir!, args: ['--backup', backup!, '--with-key'] })
  expect(await made.ended, made.stderr()).toBe(0)
  expect(made.stderr()).toContain('WARNING: it holds the master key')
  expect((await stat(join(backup!, 'master.key'))).mode & 0o777).toBe(0o600)
  await load.stop()
  expect(load.sessions.length).toBeGreaterThan(acknowledged.length)

  await using restored = runServer({ dataDir: other!, args: ['--restore', backup!] })
  expect(await restored.ended, restored.stderr()).toBe(0)
  await using second = runServer({ dataDir: other! })
  expect((await post(second, key, '/mcp-groups/all/key/copy', {})).key).toBe(groupKey)
  for (const session_id of acknowledged) {
    const { messages } = await get(second, key, `/sessions/${session_id}/messages`)
    expect((messages as unknown[]).length).toBeGreaterThanOrEqual(2)
  }
  await using sql = openSql({ url: `sqlite://${other}/dataagent.db` })
  const approval = await sql.hub.approvals.get('default', approval_id)
  expect(approval).toMatchObject({ approval_id, status: 'pending', tool_name: 't' })
  const note = await second.get('/api/v1/files/content?path=files/note.txt', { 'x-api-key': key })
  expect(await note.text()).toBe('kept')
  const entries = await readdir(join(other!, 'workspaces', 'admin', 'files'), {
    withFileTypes: true,
  })
  expect(entries.find(({ name }) => name === 'link')?.isSymbolicLink()).toBe(true)
  const verdict = await post(second, key, '/audit/verify', {})
  expect(verdict).toMatchObject({ ok: true })
  const { calls } = await get(second, key, '/audit/calls')
  expect((calls as unknown[]).length).toBeGreaterThan(0)
}, 120_000)

describe('a restore', () => {
  test('takes only a whole backup, as it was written, and into an empty place', async () => {
    await using place = await temporaryDirectory()
    const path = (name: string) => join(place.path, name)
    await makeData(path('data'))
    const attempt = async (from: string, to: string) => {
      await using run = runServer({ dataDir: path(to), args: ['--restore', path(from)] })
      return { code: await run.ended, told: run.stderr() }
    }
    const makeOne = async (name: string) => {
      await using run = runServer({ dataDir: path('data'), args: ['--backup', path(name)] })
      expect(await run.ended, run.stderr()).toBe(0)
      expect(run.stderr()).toContain('The master key is not in it')
      expect(await readdir(path(name))).not.toContain('master.key')
    }
    await makeOne('cut')
    await rm(path('cut/manifest.json'))
    expect(await attempt('cut', 'a')).toEqual({ code: 2, told: containing('was cut off') })
    await makeOne('changed')
    await appendFile(path('changed/files/workspaces/admin/files/note.txt'), '!')
    const changed = containing('note.txt is not as it was written')
    expect(await attempt('changed', 'a')).toEqual({ code: 2, told: changed })
    await makeOne('lacking')
    await rm(path('lacking/files/workspaces/admin/files/note.txt'))
    expect(await attempt('lacking', 'a')).toEqual({ code: 2, told: containing('is missing') })
    await makeOne('more')
    await writeFile(path('more/files/skills.js'), 'x')
    expect(await attempt('more', 'a')).toEqual({ code: 2, told: containing('does not know') })
    expect(await readdir(path('a'))).toEqual([])

    await makeOne('good')
    expect(await attempt('good', 'data')).toEqual({ code: 2, told: containing('is not empty') })
    expect(await attempt('good', 'a')).toEqual({ code: 0, told: containing('a/master.key') })
    await using keyless = runServer({ dataDir: path('a') })
    expect(await keyless.ended).toBe(2)
    expect(keyless.stderr()).toContain('The master key is missing')
  }, 120_000)

  test('tells where the settings in it lead to another database, or are refused', async () => {
    await using place = await temporaryDirectory()
    const path = (name: string) => join(place.path, name)
    await makeData(path('data'))
    // Over the file's, so that the backup is made all the same.
    const env = {
      DATABASE_URL: `sqlite://${path('data/dataagent.db')}`,
      ...{ DATAAGENT_TLS_CERT: 'cert', DATAAGENT_TLS_KEY: 'key' },
    }
    const back = async (name: string, settings: object) => {
      await writeFile(path('data/dataagent.config.json'), JSON.stringify(settings), { mode: 0o600 })
      await using made = runServer({ dataDir: path('data'), args: ['--backup', path(name)], env })
      expect(await made.ended, made.stderr()).toBe(0)
      const other = path(`of-${name}`)
      await using restored = runServer({ dataDir: other, args: ['--restore', path(name)] })
      expect(await restored.ended, restored.stderr()).toBe(0)
      return restored.stderr()
    }
    const moved = await back('moved', { database_url: `sqlite://${path('old.db')}` })
    expect(moved).toContain(`not use ${path('of-moved/dataagent.db')}, but ${path('old.db')}`)
    expect(await back('half', { tls_cert: 'cert' })).toMatch(/not valid with .*\n.*tls_key/s)
    expect(await back('good', { port: 8123 })).not.toContain('WARNING')
  }, 60_000)

  test('that was cut off is not taken for a data directory', async () => {
    await using place = await temporaryDirectory()
    await writeFile(join(place.path, 'restore.unfinished'), '')
    await using server = runServer({ dataDir: place.path })
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toContain('was cut off')
  })
})

test('a backup is not made into the data directory, nor over another', async () => {
  await using place = await temporaryDirectory()
  const dataDir = join(place.path, 'data')
  await makeData(dataDir)
  await mkdir(join(place.path, 'full/of'), { recursive: true })
  for (const [to, told] of [
    [join(dataDir, 'copy'), 'cannot be in the data directory'],
    [join(place.path, 'full'), 'is not empty'],
  ] as const) {
    await using run = runServer({ dataDir, args: ['--backup', to] })
    expect([await run.ended, run.stderr()]).toEqual([2, containing(told)])
  }
})

for (const kind of ['mysql', 'postgres'] as const) {
  test.skipIf(!(await findService(kind)))(
    `on ${kind} the files are backed up, and the command that dumps the database is told`,
    async () => {
      await using place = await temporaryDirectory()
      await using database = await createDatabase(kind)
      const env = { DATABASE_URL: database.url }
      const path = (name: string) => join(place.path, name)
      await makeData(path('data'), env)
      const args = ['--backup', path('backup')]
      await using made = runServer({ dataDir: path('data'), args, env })
      expect(await made.ended, made.stderr()).toBe(0)
      expect(made.stderr()).toMatch(kind === 'mysql' ? /mysqldump .* -p / : /pg_dump -Fc /)
      const { password } = new URL(database.url)
      if (password) expect(made.stderr()).not.toContain(password)
      await using other = runServer({ dataDir: path('a'), args: ['--restore', path('backup')] })
      expect([await other.ended, other.stderr()]).toEqual([2, containing(`a server on ${kind}`)])
      const restore = ['--restore', path('backup')]
      await using restored = runServer({ dataDir: path('a'), args: restore, env })
      expect(await restored.ended, restored.stderr()).toBe(0)
      expect(restored.stderr()).toContain('load its dump')
    },
    60_000,
  )
}

const aGroup = { group_id: 'all', name: 'All', tools: [] }
const containing = (text: string) => expect.stringContaining(text)

/** A data directory with a file, of a server that has ended. */
async function makeData(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  await using server = runServer({ dataDir, env })
  await put(server, await server.shownKey(), 'files/note.txt', 'kept')
}

async function addApproval(dataDir: string): Promise<string> {
  await using sql = openSql({ url: `sqlite://${dataDir}/dataagent.db` })
  const approval_id = randomUUID()
  await sql.hub.approvals.insert({
    ...{ approval_id, tenant_id: 'default', status: 'pending', caller: 'c', user_id: 'admin' },
    ...{ agent_id: null, session_id: null, run_id: null, assignee: null, tool_call_id: 't' },
    ...{ server_id: 's', tool_name: 't', definition_hash: 'h', digest: 'd', reason: '{}' },
    ...{ action_request: '{"name":"t","args":{}}', decision: null, message: null, via: null },
    ...{ decided_by: null, decided_at: null, decision_details: null, used_at: null, asked: 1 },
    ...{ created_at: Date.now(), expires_at: Date.now() + 3_600_000 },
  })
  return approval_id
}

/** Turns and calls of tools, one after the other in three places, until it is stopped. */
function startLoad(server: ServerProcess, key: string) {
  const sessions: string[] = []
  let isStopped = false
  const work = Array.from({ length: 3 }, async () => {
    while (!isStopped) {
      const { session_id } = await post(server, key, '/chat', { message: 'hello' })
      sessions.push(String(session_id))
      await callTool(server, key)
    }
  })
  return {
    sessions,
    async stop() {
      isStopped = true
      await Promise.all(work)
    },
  }
}

/** It finds nothing; that it was called is audited. */
async function callTool(server: ServerProcess, key: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ tool: 'read_result', args: { result_id: 'none' } })
  const url = `${await server.url()}/api/v1/tools/call`
  await (await fetch(url, { method: 'POST', headers, body })).body?.cancel()
}

async function get(server: ServerProcess, key: string, path: string) {
  return wait(path, () => server.get(`/api/v1${path}`, { 'x-api-key': key }))
}

async function post(server: ServerProcess, key: string, path: string, body: object) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const url = `${await server.url()}/api/v1${path}`
  return wait(path, () => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function put(server: ServerProcess, key: string, path: string, body: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/octet-stream' }
  const url = `${await server.url()}/api/v1/files/content?path=${path}`
  await wait(path, () => fetch(url, { method: 'PUT', headers, body }))
}

/** A machine that is busy may be told to come again. */
async function wait(what: string, ask: () => Promise<Response>) {
  const response = await waitFor(
    async () => {
      const answer = await ask()
      return answer.ok ? answer : void (await answer.body?.cancel())
    },
    { timeoutMs: 20_000, what },
  )
  return (await response.json()) as Record<string, unknown>
}
