import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase, findService } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toFault, toSourceFault } from '../data/faults/to-fault.ts'
import { addShop } from '../testing/test-data.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const hasService = {
  mysql: await findService('mysql'),
  postgres: await findService('postgres'),
}

let site: TestSite
let shop: string
beforeAll(async () => {
  site = await startSite({ env: { DATAAGENT_DATA_QUERY_SECONDS: '1' } })
  shop = await addShop(site)
}, 60_000)
afterAll(() => site[Symbol.asyncDispose]())

/** What the page makes of what the server says of a statement of a user. */
async function kindOf(source: string, sql: string) {
  const { data } = site.clientOf('ana')
  const error = await data.run({ source, sql }).catch((failure: unknown) => failure)
  return toFault(error)?.kind
}

type Location = Parameters<ReturnType<TestSite['clientOf']>['data']['createSource']>[0]['location']

/** What it makes of a source: for a user who asks it, and for who manages it. */
async function kindsAt(location: Location) {
  const { data } = site.clientOf('olga')
  const { source_id } = await data.createSource({ name: crypto.randomUUID(), location })
  const { status, status_text } = await data.checkSource(source_id)
  return {
    ...{ status, user: await kindOf(source_id, 'SELECT 1 AS n') },
    admin: toSourceFault(status_text).kind,
  }
}

test.each([
  ['SELECT * FROM orders', undefined],
  ['DROP TABLE orders', 'writes'],
  ['SELECT 1; SELECT 2', 'several'],
  ["SELECT * FROM read_csv('/etc/passwd')", 'notOffered'],
  ['SELECT * FROM nowhere', 'name'],
  ['SELECT wrong FROM orders', 'name'],
  ['SELECT FROM WHERE', 'statement'],
  ['SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) = 3', 'timeout'],
] as const)('what files say of %j is told apart', { timeout: 20_000 }, async (sql, kind) => {
  expect(await kindOf(shop, sql)).toBe(kind)
})

test('a source that is removed or switched off is told apart', async () => {
  const { data } = site.clientOf('olga')
  const folder = join(site.dataDir, 'empty')
  await mkdir(folder)
  const location = { kind: 'files', folder } as const
  const { source_id } = await data.createSource({ name: 'short-lived', location })
  await data.updateSource(source_id, { enabled: false })
  expect(await kindOf(source_id, 'SELECT 1 AS n')).toBe('off')
  await data.deleteSource(source_id)
  expect(await kindOf(source_id, 'SELECT 1 AS n')).toBe('source')
})

test('a source that is not there is told apart from one that does not answer', async () => {
  const gone = { status: 'failing', user: 'file', admin: 'file' }
  expect(await kindsAt({ kind: 'files', folder: '/nowhere/at/all' })).toEqual(gone)
  expect(await kindsAt({ kind: 'sqlite', path: '/nowhere/a.db' })).toEqual(gone)
  const closed = { host: '127.0.0.1', port: 9, user: 'reader', database: 'shop' }
  const silent = { status: 'failing', user: 'unreachable', admin: 'unreachable' }
  expect(await kindsAt({ kind: 'postgres', ...closed })).toEqual(silent)
  expect(await kindsAt({ kind: 'mysql', ...closed })).toEqual(silent)
})

const databases = ['mysql', 'postgres'] as const
test.for(databases)('what %s says is told apart', { timeout: 60_000 }, async (kind, { skip }) => {
  skip(!hasService[kind])
  await using database = await createDatabase(kind)
  const at = (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    return { kind, url: url.href }
  }
  const stranger = at((url) => {
    url.username = 'nobody_here'
    url.password = 'wrong'
  })
  const refused = { status: 'failing', user: 'password' }
  expect(await kindsAt(stranger)).toEqual({ ...refused, admin: 'password' })
  const elsewhere = at((url) => (url.pathname = '/no_such_database'))
  expect(await kindsAt(elsewhere)).toEqual({ ...refused, admin: 'database' })
  const name = `db-${kind}`
  await site.clientOf('olga').data.createSource({ name, location: at(() => {}) })
  expect(await kindOf(name, 'SELECT * FROM nowhere')).toBe('name')
  expect(await kindOf(name, 'SELECT wrong FROM (SELECT 1 AS n) t')).toBe('name')
  expect(await kindOf(name, 'DELETE FROM nowhere')).toBe('writes')
  expect(await kindOf(name, 'SELECT 1 +')).toBe('statement')
})
