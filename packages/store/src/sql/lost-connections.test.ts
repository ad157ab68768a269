import {
  canStartService,
  longCount,
  startFaultProxy,
  startMariadb,
  waitFor,
} from '@dataagent/testkit'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import { createEngine, openSql, type SqlStore } from './open-sql.ts'
import type { Database } from './tables.ts'
import { storedSession, textEntry } from './test-builders.ts'
import { inTransaction } from './transaction.ts'

const servers = ['mysql', 'postgres'] as const
const maxConnections = 5
const cuts = longCount(40, 2_000)

await describeSql(
  'connections',
  (subject) => {
    test(`lost ${cuts} times in mid-work lose nothing acknowledged, and none leaks [F15]`, {
      timeout: 60_000 + cuts * 500,
    }, async () => {
      const { url, open } = subject()
      await using proxy = await startFaultProxy({ target: url })
      const store = open({ url: proxy.url, maxConnections })
      const session_id = await storedSession(subject().store)
      const acknowledged: string[] = []
      let failures = 0
      for (let cut = 0; cut < cuts; cut += 1) {
        const work = workOn(store, { session_id, round: cut, acknowledged })
        // At another moment of the work each time.
        for (let turn = 0; turn < cut % 20; turn += 1) await new Promise(setImmediate)
        await proxy.set({ kind: 'reset' }, 'open')
        for (const outcome of await work) {
          if (outcome.status === 'fulfilled') continue
          failures += 1
          expect(outcome.reason).toMatchObject({ code: 'store_unavailable' })
        }
        expect(store.connections()).toBeLessThanOrEqual(maxConnections)
      }
      await waitFor(() => store.ping().then(() => true))
      expect(failures).toBeGreaterThan(cuts / 10)
      const rows = await subject().store.events.read(session_id, { after: 0, limit: 20 * cuts })
      const texts = rows.map(({ json }) => json)
      expect(new Set(texts).size).toBe(texts.length)
      expect(new Set(texts).isSupersetOf(new Set(acknowledged))).toBe(true)
      await expect.poll(() => proxy.counters().open).toBeLessThanOrEqual(maxConnections)
    })

    test('a transaction that a deadlock ended is run again, and both are done [F15]', async () => {
      const { url, store } = subject()
      const ids = [await storedSession(store), await storedSession(store)]
      const engine = createEngine({ url })
      const db = new Kysely<Database>({ dialect: engine.dialect })
      const both = Promise.withResolvers<void>()
      let locked = 0
      let attempts = 0
      const crossing = (session_ids: readonly string[]) =>
        inTransaction(db, async (transaction) => {
          attempts += 1
          for (const session_id of session_ids) {
            await transaction
              .updateTable('sessions')
              .set(({ eb }) => ({ last_active: eb('last_active', '+', 1) }))
              .where('session_id', '=', session_id)
              .execute()
            locked += 1
            if (locked === 2) both.resolve()
            await both.promise
          }
        })
      await Promise.all([crossing(ids), crossing(ids.toReversed())])
      await db.destroy()
      expect(attempts).toBeGreaterThan(2)
      for (const session_id of ids) {
        const session = await store.sessions.get('default', session_id)
        expect(session?.last_active).toBe(1_002)
      }
    })
  },
  servers,
)

test.skipIf(!(await canStartService('mysql')))(
  'a server without a free connection is told as such, and served from when it has one [F15]',
  async () => {
    await using server = await startMariadb()
    const { createConnection } = await import('mysql2/promise')
    const admin = await createConnection(server.url)
    await admin.query('set global max_connections = 10')
    // The eleventh place is for administrators, and every user of this server is one.
    const others = await Promise.all(Array.from({ length: 10 }, () => createConnection(server.url)))
    await using store = openSql({ url: server.url, connectTimeoutMs: 1_000 })
    await expect(store.migrate()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(store.connections()).toBe(0)
    for (const other of others) await other.end()
    await admin.end()
    await store.migrate()
    await store.ping()
  },
)

/** Appends, updates and reads, all at once. */
function workOn(
  store: SqlStore,
  { session_id, round, acknowledged }: WorkOptions,
): Promise<PromiseSettledResult<unknown>[]> {
  const append = async (n: number) => {
    const entry = textEntry(`${round} ${n}`)
    await store.events.append(session_id, [entry])
    acknowledged.push(entry.json)
  }
  const update = () => store.sessions.update('default', session_id, () => ({ last_active: round }))
  return Promise.allSettled([
    ...[1, 2, 3, 4].map(append),
    ...[1, 2, 3].map(update),
    ...[1, 2, 3].map(() => store.sessions.get('default', session_id)),
  ])
}

interface WorkOptions {
  session_id: string
  round: number
  acknowledged: string[]
}
