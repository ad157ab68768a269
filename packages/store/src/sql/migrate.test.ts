import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import type { Engine } from './engine.ts'
import { type Migration, migrate } from './migrate.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { createEngine } from './open-sql.ts'
import type { ApiKeyRow } from './platform/tables.ts'
import type { Database } from './tables.ts'
import { anApiKey, aTenant, aUser } from './test-builders.ts'

await describeSql('migrations', (subject) => {
  test('run again change nothing', async () => {
    await subject().store.migrate()
    await subject().store.ping()
  })

  test('of an empty database by eight nodes at once leave it ready for all of them', async () => {
    const { open, empty } = subject()
    const url = await empty()
    const stores = Array.from({ length: 8 }, () => open({ url }))
    await Promise.all(stores.map((store) => store.migrate()))
    await Promise.all(stores.map((store) => store.ping()))
  })

  test('work where there may be one connection only', async () => {
    const { open, empty } = subject()
    const store = open({ url: await empty(), maxConnections: 1, acquireTimeoutMs: 2_000 })
    await store.migrate()
    await store.ping()
  })

  test('of eight nodes that start together happen once [F33]', async () => {
    const { url } = subject()
    let runs = 0
    const migration: Migration = {
      name: 'together',
      async up({ createTable, types }) {
        runs += 1
        await createTable('made_together', (table) => table.addColumn('id', types.id))
      },
    }
    await Promise.all(
      Array.from({ length: 8 }, () =>
        using(url, (node) => migrate({ ...node, migrations: [migration] })),
      ),
    )
    expect(runs).toBe(1)
  })

  test('cut off at any step are completed by the next start [F33]', async () => {
    const { url } = subject()
    for (let cut = 0; cut < 4; cut += 1) {
      const [first, second] = [`cut_${cut}_a`, `cut_${cut}_b`]
      const migration = (until: number): Migration => ({
        name: `cut ${cut}`,
        async up({ createTable, createIndex, types }) {
          const steps = [
            () => createTable(first, (table) => table.addColumn('id', types.id)),
            () => createIndex(`${first}_id`, { table: first, columns: ['id'] }),
            () => createTable(second, (table) => table.addColumn('id', types.id)),
          ]
          for (const step of steps.slice(0, until)) await step()
          if (until < steps.length + 1) throw new Error('cut off')
        },
      })
      await using(url, async (node) => {
        const attempt = migrate({ ...node, migrations: [migration(cut)] })
        await expect(attempt).rejects.toThrow('cut off')
      })
      await using(url, async (node) => {
        await migrate({ ...node, migrations: [migration(4)] })
        await sql`select id from ${sql.table(first)}`.execute(node.db)
        await sql`select id from ${sql.table(second)}`.execute(node.db)
      })
    }
  })

  test('keep what an earlier version has stored, and give new columns their values', async () => {
    const url = await subject().empty()
    const user = aUser({ tenant_id: 'acme' })
    const { act_as, ...key } = anApiKey(user)
    await using(url, async ({ engine, db }) => {
      await migrate({ engine, db, migrations: [foundation] })
      const tenant = { ...aTenant({ tenant_id: 'acme' }), features_enabled: '[]' }
      await db.insertInto('tenants').values(tenant).execute()
      await db.insertInto('users').values(user).execute()
      await db
        .insertInto('api_keys')
        .values(key as ApiKeyRow)
        .execute()
    })
    const store = subject().open({ url })
    await store.migrate()
    expect(await store.apiKeys.get('acme', key.key_id)).toEqual({ ...key, act_as: 0 })
  })

  test('by a newer version are named, and do not stop the store of an older one', async () => {
    const { url, store } = subject()
    const newer: Migration = { name: '9999-newer', up: async () => {} }
    await using(url, (node) => migrate({ ...node, migrations: [newer] }))
    expect(await store.unknownMigrations()).toContain('9999-newer')
    await store.migrate()
  })

  test('that this version does not know are none in a database of its own, nor in an empty one', async () => {
    const { open, empty } = subject()
    const store = open({ url: await empty() })
    expect(await store.unknownMigrations()).toEqual([])
    await store.migrate()
    expect(await store.unknownMigrations()).toEqual([])
  })
})

async function using(
  url: string,
  work: (node: { engine: Engine; db: Kysely<Database> }) => Promise<void>,
) {
  const engine = createEngine({ url })
  const db = new Kysely<Database>({ dialect: engine.dialect })
  try {
    await work({ engine, db })
  } finally {
    await db.destroy()
  }
}
