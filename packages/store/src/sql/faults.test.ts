import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  canStartService,
  mountSmallDisk,
  type PrivateServer,
  startMariadb,
  startPostgres,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { openSql, type SqlStore } from './open-sql.ts'
import { storedSession, textEntry } from './test-builders.ts'

const servers = { mysql: startMariadb, postgres: startPostgres }
const limits = {
  maxConnections: 3,
  connectTimeoutMs: 500,
  queryTimeoutMs: 800,
  acquireTimeoutMs: 800,
}
const away = { code: 'store_unavailable' }

for (const [kind, start] of Object.entries(servers)) {
  const missing = !(await canStartService(kind as keyof typeof servers))
  describe.skipIf(missing)(`${kind} that goes away`, () => {
    test('is not there at start: migrate says so, and succeeds once it is [F13]', async () => {
      await using server = await start()
      await server.stop()
      await using store = openSql({ url: server.url, ...limits })
      await expect(store.migrate()).rejects.toMatchObject(away)
      await server.start()
      await store.migrate()
      await store.ping()
    })

    test('is killed: typed errors, nothing unstored is acknowledged, back without a restart [F14]', async () => {
      await using server = await start()
      await using store = openSql({ url: server.url, ...limits })
      const session_id = await prepared(store)
      await server.kill('SIGKILL')
      await expect(store.events.append(session_id, [textEntry('lost')])).rejects.toMatchObject(away)
      await expect(store.sessions.get('default', session_id)).rejects.toMatchObject(away)
      await server.start()
      await waitFor(() => store.ping().then(() => true))
      expect(await store.events.append(session_id, [textEntry('kept')])).toMatchObject({ first: 2 })
      expect(store.connections()).toBeLessThanOrEqual(limits.maxConnections)
    })

    test('is frozen: appends that queue up fail together, not one timeout after another', async () => {
      await using server = await start()
      await using store = openSql({ url: server.url, ...limits })
      const session_id = await prepared(store)
      await server.pause()
      const started = performance.now()
      const appends = Array.from({ length: 20 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 50))
        return store.events.append(session_id, [textEntry(`${n}`)])
      })
      for (const outcome of await Promise.allSettled(appends)) {
        expect(outcome).toMatchObject({ reason: away })
      }
      expect(performance.now() - started).toBeLessThan(12_000)
      server.resume()
      await waitFor(() => store.ping().then(() => true))
    })

    test('is frozen: every call ends with a typed error in time, and no connection leaks [F15]', async () => {
      await using server = await start()
      await using store = openSql({ url: server.url, ...limits })
      const session_id = await prepared(store)
      await server.pause()
      const started = performance.now()
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => store.sessions.get('default', session_id)),
      )
      expect(performance.now() - started).toBeLessThan(10_000)
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: away })
      await waitFor(() => store.connections() === 0)
      server.resume()
      await waitFor(() => store.ping().then(() => true))
      expect(await connectionsSeenBy(server, kind)).toBeLessThanOrEqual(limits.maxConnections)
    })
  })
}

describe('SQLite on a disk that is full', () => {
  test('refuses writes with storage_full, goes on reading, loses nothing and recovers [F20]', async (context) => {
    await using disk = await mountSmallDisk({ bytes: 2 * 1024 * 1024 })
    if (!disk) return context.skip('no disk can be mounted')
    const path = join(disk.path, 'dataagent.db')
    const store = openSql({ url: `sqlite:${path}` })
    const session_id = await prepared(store)
    const kilobyte = textEntry('x'.repeat(1_000))
    let stored = 1
    const fill = async () => {
      for (;;) stored = (await store.events.append(session_id, [kilobyte])).last
    }
    await expect(fill()).rejects.toMatchObject({ code: 'storage_full' })
    await expect(
      store.sessions.update('default', session_id, () => ({
        metadata: { big: 'x'.repeat(500_000) },
      })),
    ).rejects.toMatchObject({ code: 'storage_full' })
    expect(await store.events.read(session_id, { after: 0, limit: 10_000 })).toHaveLength(stored)

    disk.grow(16 * 1024 * 1024)
    expect(await store.events.append(session_id, [kilobyte])).toMatchObject({ first: stored + 1 })
    await store.close()
    const db = new DatabaseSync(path, { readOnly: true })
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(db.prepare('select count(*) as n from events').get()).toEqual({ n: stored + 1 })
    db.close()
  })
})

async function prepared(store: SqlStore) {
  await store.migrate()
  const session_id = await storedSession(store)
  await store.events.append(session_id, [textEntry('first')])
  return session_id
}

async function connectionsSeenBy(server: PrivateServer, kind: string): Promise<number> {
  const store = openSql({ url: server.url, maxConnections: 1 })
  await store.ping()
  const own = store.connections()
  await store.close()
  const query = {
    mysql: 'select count(*) as n from information_schema.processlist where db is not null',
    postgres: "select count(*) as n from pg_stat_activity where backend_type = 'client backend'",
  }[kind]
  return (await countOn(server.url, query ?? '')) - own
}

async function countOn(url: string, query: string): Promise<number> {
  if (url.startsWith('mysql')) {
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection(url)
    const [rows] = await connection.query(query)
    await connection.end()
    return Number((rows as { n: number }[])[0]?.n)
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return Number(rows[0]?.n)
}
