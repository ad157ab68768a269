import { randomBytes } from 'node:crypto'
import { createKeyring, createVault, parseMasterKeys } from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { createDatabase, findService, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'

const newKey = () => randomBytes(32).toString('base64')
const vaultOf = (...keys: string[]) =>
  createVault({ keyring: createKeyring(keys.flatMap(parseMasterKeys)) })
const bindingOf = (row: string) => ({
  ...{ tenant: 'default', table: 'model_providers', row, column: 'api_key' },
})
/** Enough that a run of the command is met in its middle. */
const providers = Array.from({ length: 400 }, (_, n) => `p${n}`)

for (const kind of ['sqlite', 'mysql', 'postgres'] as const) {
  const isMissing = kind !== 'sqlite' && !(await findService(kind))
  describe.skipIf(isMissing)(`--reseal on ${kind}`, () => {
    test('killed in its middle and run again beside a server, it lets the old master key go, and every secret opens', async () => {
      await using place = await makePlace(kind)
      const [oldKey, key] = [newKey(), newKey()]
      const run = (master: string, args: string[] = []) => {
        const env = { DATABASE_URL: place.url, DATAAGENT_MASTER_KEY: master }
        return runServer({ dataDir: place.dataDir, args, env })
      }
      const { adminKey, groupKey } = await fill(run(oldKey))
      await using store = openSql({ url: place.url })
      await addProviders(store, oldKey)
      const both = `${key},${oldKey}`
      await using server = run(both)
      expect(await copiedKey(server, adminKey)).toBe(groupKey)

      await killHalfway(run(both, ['--reseal']), store, key)
      await using early = run(key, ['--reseal'])
      expect(await early.ended).toBe(2)
      expect(early.stderr()).toContain('Put that key back')

      await using rest = run(both, ['--reseal'])
      expect(await rest.ended, rest.stderr()).toBe(0)
      const [anew, already] = countsIn(rest)
      expect(Math.min(anew, already)).toBeGreaterThan(0)
      expect(rest.stderr()).toContain('still need an older master key:  0')
      expect(rest.stderr()).toContain('The older master key can go')
      expect(await copiedKey(server, adminKey)).toBe(groupKey)
      await using again = run(both, ['--reseal'])
      expect(await again.ended).toBe(0)
      expect(countsIn(again)).toEqual([0, anew + already])

      await server[Symbol.asyncDispose]()
      await using last = run(key)
      expect(await copiedKey(last, adminKey)).toBe(groupKey)
      await expectOpened(store, key, anew + already)
    }, 120_000)
  })
}

test('--reseal says what no key opens, and which keys still need the old master key', async () => {
  await using place = await makePlace('sqlite')
  const [oldKey, key] = [newKey(), newKey()]
  const run = (master: string, args: string[] = []) =>
    runServer({ dataDir: place.dataDir, args, env: { DATAAGENT_MASTER_KEY: master } })
  await fill(run(oldKey))
  await using store = openSql({ url: place.url })
  const sealed = await vaultOf(newKey()).seal('lost', bindingOf('lost'))
  await store.providers.create(aProvider('lost', sealed))
  await using reseal = run(`${key},${oldKey}`, ['--reseal'])
  expect(await reseal.ended).toBe(0)
  expect(reseal.stderr()).toContain('to be entered again:  1\n    model_providers default lost\n')
  expect(reseal.stderr()).toContain('still need an older master key:  1')
  expect(reseal.stderr()).not.toContain('The older master key can go')
})

async function makePlace(kind: SqlStore['kind']) {
  const stack = new AsyncDisposableStack()
  const { path: dataDir } = stack.use(await temporaryDirectory())
  const url =
    kind === 'sqlite'
      ? `sqlite://${dataDir}/dataagent.db`
      : stack.use(await createDatabase(kind)).url
  return { dataDir, url, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** A server over REST with a sealed header, a group with its key; the server is ended. */
async function fill(server: ServerProcess) {
  await using running = server
  const adminKey = await running.shownKey()
  const group = { group_id: 'all', name: 'All', tools: [] }
  const { key } = await post(running, adminKey, '/mcp-groups', group)
  const headers = { authorization: 'Bearer of-the-wiki' }
  const config = { name: 'wiki', url: 'http://127.0.0.1:9/mcp', headers, disabled: true }
  await post(running, adminKey, '/mcp-servers', { config })
  return { adminKey, groupKey: key }
}

async function copiedKey(server: ServerProcess, adminKey: string): Promise<string> {
  return (await post(server, adminKey, '/mcp-groups/all/key/copy', {})).key
}

/** A machine that is busy may be told to come again. */
async function post(server: ServerProcess, key: string, path: string, body: object) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const url = `${await server.url()}/api/v1${path}`
  const answer = await waitFor(
    async () => {
      const response = await fetch(url, request)
      return response.ok ? response : void (await response.body?.cancel())
    },
    { timeoutMs: 20_000, what: `an answer of ${path}` },
  )
  return (await answer.json()) as { key: string }
}

function aProvider(provider_id: string, api_key: string) {
  return {
    ...{ tenant_id: 'default', provider_id, name: provider_id, kind: 'openai' as const, api_key },
    ...{ base_url: null, models: ['m'], enabled: false, calls_tools: true },
    ...{ created_at: 1, updated_at: 1 },
  }
}

async function addProviders(store: SqlStore, master: string): Promise<void> {
  const vault = vaultOf(master)
  for (const id of providers) {
    await store.providers.create(aProvider(id, await vault.seal(`secret ${id}`, bindingOf(id))))
  }
}

async function killHalfway(command: ServerProcess, store: SqlStore, key: string): Promise<void> {
  await using killed = command
  await waitFor(async () => (await countUnder(store, key)) > 20, { timeoutMs: 20_000 })
  killed.process.kill('SIGKILL')
  expect(await killed.ended).toBe('SIGKILL')
  expect(await countUnder(store, key)).toBeLessThan(providers.length)
}

async function countUnder({ sealed }: SqlStore, key: string): Promise<number> {
  const vault = vaultOf(key)
  let count = 0
  for await (const { envelope } of sealed.rows()) if (vault.isCurrent(envelope)) count += 1
  return count
}

function countsIn(command: ServerProcess): [number, number] {
  const [, anew, already] = /: {2}(\d+)\n.*already: {2}(\d+)\n/.exec(command.stderr()) ?? []
  return [Number(anew), Number(already)]
}

/** By the new key alone. */
async function expectOpened({ sealed }: SqlStore, key: string, count: number): Promise<void> {
  const vault = vaultOf(key)
  const other = vaultOf(newKey(), key)
  let opened = 0
  for await (const { id, envelope } of sealed.rows()) {
    expect(other.isCurrent(await other.rewrap(envelope))).toBe(true)
    opened += 1
    if (id.table !== 'model_providers') continue
    const { provider_id = '' } = id.key
    expect(await vault.open(envelope, bindingOf(provider_id))).toBe(`secret ${provider_id}`)
  }
  expect(opened).toBe(count)
}
