import { createSecret } from '@dataagent/schema'
import { createDatabase, findService, startFaultProxy, type TestDatabase } from '@dataagent/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toSqlMode } from './mysql/connect.ts'
import { judgeGrant } from './mysql/grants.ts'
import { openEngine } from './open-engine.ts'
import type { EngineSource } from './source.ts'
import { createTestSource, openTestEngine, readAll } from './test-sources.ts'

const kinds: ('mysql' | 'postgres')[] = []
for (const kind of ['mysql', 'postgres'] as const) if (await findService(kind)) kinds.push(kind)

test.runIf(kinds.includes('mysql'))(
  'a variable of one query is not there for the next',
  async () => {
    await using source = await createTestSource('mysql')
    await using engine = openTestEngine(source, { most: 1 })
    expect(await readAll(engine, "SELECT @secret := 'mine' AS a")).toEqual([['mine']])
    expect(await readAll(engine, 'SELECT @secret AS a')).toEqual([[null]])
  },
)

describe.each(kinds)('%s', (kind) => {
  test('a role that may only read is known by what it was granted', async () => {
    await using database = await createDatabase(kind)
    await database.query('CREATE TABLE sales (id INT)')
    const reader = await createReader(kind, database)
    await using engine = openEngine(toSource(kind, reader))
    expect(await engine.check({})).toMatchObject({ read_only: true })
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[0]])
  })

  test('an address that is refused is not connected to, under whatever name [T4]', async () => {
    await using source = await createTestSource(kind)
    const asked: string[] = []
    await using engine = openTestEngine(source, {
      checkAddress({ address, port }) {
        asked.push(`${address}:${port}`)
        throw new Error('not allowed')
      },
    })
    await expect(readAll(engine, 'SELECT 1')).rejects.toThrow('not allowed')
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^[\d.]+:\d+$/)
  })

  test('a wrong password is told without it, and so is a server that is not there', async () => {
    await using source = await createTestSource(kind)
    const url = new URL(urlOf(source.source))
    url.password = 'canary-password'
    for (const port of [url.port, '1']) {
      url.port = port
      await using engine = openEngine(toSource(kind, url.href))
      const told = await readAll(engine, 'SELECT 1').catch((error) => error)
      expect(told).toMatchObject({ code: port === '1' ? 'unavailable' : 'forbidden' })
      expect(`${told.message} ${JSON.stringify(told)}`).not.toContain('canary')
    }
  })

  test('a connection that is cut while rows come is told, and the next query runs', async () => {
    await using source = await createTestSource(kind)
    await using proxy = await startFaultProxy({ target: urlOf(source.source) })
    await using engine = openEngine(toSource(kind, proxy.url), { most: 1 })
    const rows = {
      mysql: 'SELECT seq FROM seq_1_to_100000000',
      postgres: 'SELECT generate_series(1, 100000000)',
    }
    const query = await engine.query(rows[kind], { timeoutMs: 60_000 })
    const batches = query.batches[Symbol.asyncIterator]()
    await batches.next()
    await proxy.set({ kind: 'reset' }, 'open')
    await expect(readOn(batches)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
  })

  test('a query that was broken off no longer runs on the server', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 2 })
    const mark = 987_654_321
    const endless = {
      mysql: `SELECT count(*), ${mark} FROM seq_1_to_100000000 a, seq_1_to_100000000 b`,
      postgres: `SELECT count(*), ${mark} FROM generate_series(1, 100000) a, generate_series(1, 100000000) b`,
    }
    const running = {
      mysql: `SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%${mark}%' AND info NOT LIKE '%processlist%'`,
      // What runs there is the reading of a cursor; the database is this test's own.
      postgres: `SELECT count(*) FROM pg_stat_activity WHERE state = 'active'
        AND datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type = 'client backend'`,
    }
    const abort = new AbortController()
    const asked = readAll(engine, endless[kind], { timeoutMs: 60_000, signal: abort.signal })
    asked.catch(() => {})
    const count = async () => (await readAll(engine, running[kind]))[0]?.[0]
    await expect.poll(count).toBe(1)
    abort.abort()
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(count).toBe(0)
  })
})

test.each([
  ['GRANT USAGE ON *.* TO `a`@`%`', true],
  ['GRANT SELECT, SHOW VIEW ON `x`.* TO `a`@`%`', true],
  ['GRANT SELECT (`id`, `name`) ON `x`.`t` TO `a`@`%`', true],
  ['GRANT SELECT, INSERT ON `x`.* TO `a`@`%`', false],
  ['GRANT ALL PRIVILEGES ON *.* TO `a`@`%` WITH GRANT OPTION', false],
  ['GRANT FILE ON *.* TO `a`@`%`', false],
  ['GRANT EXECUTE ON PROCEDURE `x`.`p` TO `a`@`%`', false],
  ['GRANT `writer`@`%` TO `a`@`%`', null],
])('%s: read only is %s', (grant, expected) => {
  expect(judgeGrant(grant)).toBe(expected)
})

test.each([
  ['STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'],
  ['REAL_AS_FLOAT,ANSI_QUOTES,ANSI,ONLY_FULL_GROUP_BY', 'REAL_AS_FLOAT,ONLY_FULL_GROUP_BY'],
  ['PIPES_AS_CONCAT,ANSI_QUOTES,ORACLE,NO_BACKSLASH_ESCAPES', 'PIPES_AS_CONCAT'],
  ['', ''],
])('the mode %s is asked in as %s', (mode, expected) => {
  expect(toSqlMode(mode)).toBe(expected)
})

function toSource(kind: 'mysql' | 'postgres', address: string): EngineSource {
  const url = createSecret(address)
  return kind === 'mysql' ? { kind, url } : { kind, url }
}

async function readOn(batches: AsyncIterator<unknown>): Promise<void> {
  while (!(await batches.next()).done);
}

function urlOf(source: object): string {
  return (source as { url: { reveal(): string } }).url.reveal()
}

/** A user of the database that may read its tables, and nothing else. */
async function createReader(kind: 'mysql' | 'postgres', database: TestDatabase): Promise<string> {
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  const user = `r_${name.slice(-12)}`
  const host = kind === 'mysql' ? `'${user}'@'%'` : user
  const made =
    kind === 'mysql'
      ? [`CREATE USER ${host} IDENTIFIED BY 'pw'`, `GRANT SELECT ON ${name}.* TO ${host}`]
      : [
          `CREATE ROLE ${user} LOGIN PASSWORD 'pw'`,
          'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
          `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`,
        ]
  for (const sql of made) await database.query(sql)
  onTestFinished(async () => {
    const server = await findService(kind)
    if (server && kind === 'mysql') await dropUser(server.url, host)
  })
  url.username = user
  url.password = 'pw'
  return url.href
}

async function dropUser(server: string, user: string): Promise<void> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(server)
  await connection.query(`DROP USER ${user}`)
  await connection.end()
}
