import { Kysely, sql, type TableMetadata } from 'kysely'
import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import { createEngine } from './open-sql.ts'
import type { Database } from './tables.ts'
import { tenantTables } from './tenant-tables.ts'
import { aNote, aSession, notesOf, storedTenant, textEntry } from './test-builders.ts'

/** What belongs to the whole installation. */
const shared = ['schema_migrations', 'settings', 'mcp_oauth_clients']

await describeSql('what is stored of one tenant', (subject) => {
  const withDb = async <T>(work: (db: Kysely<Database>) => Promise<T>) => {
    const db = new Kysely<Database>({ dialect: createEngine({ url: subject().url }).dialect })
    try {
      return await work(db)
    } finally {
      await db.destroy()
    }
  }

  test('is known of every table: each has a tenant, or is of a row that has one', async () => {
    const tables = await withDb((db) => db.introspection.getTables())
    const known = tenantTables.map(({ table }) => String(table))
    expect(tables.map(({ name }) => name).toSorted()).toEqual([...known, ...shared].toSorted())
    const withTenant = tables.filter(({ columns }) =>
      columns.some(({ name }) => name === 'tenant_id'),
    )
    const direct = tenantTables.filter(({ through }) => !through).map(({ table }) => String(table))
    expect(withTenant.map(({ name }) => name).toSorted()).toEqual(direct.toSorted())
  })

  test('is read whole, without secrets, and deleted whole; not a byte of another tenant changes', async () => {
    const { store } = subject()
    await withDb(async (db) => {
      for (const tenant of ['acme', 'globex']) await fillAll(db, tenant)
      const before = await dump(db, 'globex')

      const seen = new Map<string, Record<string, unknown>>()
      for await (const { table, row } of store.ofTenant.read('acme')) seen.set(table, row)
      expect([...seen.keys()].toSorted()).toEqual(tenantTables.map(({ table }) => table).toSorted())
      const text = JSON.stringify([...seen])
      expect(text).not.toContain('globex')
      for (const secret of secretsOf('acme')) expect(text).not.toContain(secret)
      expect(seen.get('approvals')).toMatchObject({ decision_details: '{"scope":"once"}' })
      expect(seen.get('checkpoint_parts')).toMatchObject({ bytes: toBytes('acme', 'base64') })

      await store.ofTenant.shut('acme', 5)
      expect(await store.users.get('acme', 'acme user_id')).toMatchObject({ disabled_at: 5 })
      expect(await store.gateway.groups.load('acme')).toEqual([])
      expect(await store.ofTenant.clear('acme')).toBeGreaterThan(30)
      const note = aNote({ tenant_id: 'other', kind: 'tenant', target: 'acme' })
      await store.ofTenant.forget('acme', { note })
      expect(await notesOf(store, 'other')).toEqual(['tenant acme'])
      const left = await dump(db, 'acme')
      expect(left).toEqual(left.map(([table]) => [table, []]))
      expect(await dump(db, 'globex')).toEqual(before)
    })
  })

  test('is deleted also where it is much', async () => {
    const { store } = subject()
    const { tenant_id } = await storedTenant(store)
    const session = aSession({ tenant_id })
    await store.sessions.create(session)
    const entries = Array.from({ length: 2_500 }, (_, n) => textEntry(`${n}`))
    await store.events.append(session.session_id, entries)
    expect(await store.ofTenant.clear(tenant_id)).toBe(2_501)
    expect(await store.ofTenant.clear(tenant_id)).toBe(0)
  })

  test('is nothing where no tenant, or all, are meant', async () => {
    const { store } = subject()
    for (const all of ['', '*']) {
      await expect(store.ofTenant.forget(all)).rejects.toMatchObject({ code: 'invalid_request' })
      await expect(store.ofTenant.clear(all)).rejects.toMatchObject({ code: 'invalid_request' })
    }
    await expect(store.ofTenant.shut('nobody', 1)).rejects.toMatchObject({ code: 'not_found' })
  })
})

const secretColumns = ['secrets', 'hashed_api_key', 'key_mac', 'token_mac', 'refresh_hash'] as const

function secretsOf(tenant: string): string[] {
  const columns = [...secretColumns, 'previous_hash', 'location', 'previous_key_mac', 'sealed_args']
  return columns.map((column) => `${tenant} ${column}`)
}

/** One row in each table; ids are the same in all of them, so that they belong together. */
async function fillAll(db: Kysely<Database>, tenant: string): Promise<void> {
  const tables = await db.introspection.getTables()
  for (const { table } of tenantTables.toReversed()) {
    const { columns } = tables.find(({ name }) => name === table)!
    const names = columns.map(({ name }) => sql.ref(name))
    const values = columns.map((column) => sql`${cellOf(tenant, column)}`)
    await sql`insert into ${sql.table(table)} (${sql.join(names)})
      values (${sql.join(values)})`.execute(db)
  }
}

function cellOf(tenant: string, { name, dataType }: TableMetadata['columns'][number]) {
  if (name === 'tenant_id') return tenant
  if (name === 'disabled_at') return null
  if (name === 'decision_details') {
    return JSON.stringify({ scope: 'once', sealed_args: `${tenant} sealed_args` })
  }
  if (/int/i.test(dataType)) return 1
  return /blob|bytea/i.test(dataType) ? Buffer.from(toBytes(tenant, 'utf8')) : `${tenant} ${name}`
}

function toBytes(tenant: string, encoding: BufferEncoding): string {
  return Buffer.from(`bytes of ${tenant}`).toString(encoding)
}

/** All rows that name the tenant in any column, of every table. */
async function dump(db: Kysely<Database>, tenant: string) {
  const tables = await db.introspection.getTables()
  return Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
        db,
      )
      // The note of the end names the tenant, and is another's.
      const isOwn = ({ tenant_id, ...row }: Record<string, unknown>) =>
        tenant_id === tenant || (name !== 'hub_changes' && JSON.stringify(row).includes(tenant))
      return [name, rows.filter((row) => isOwn(row))] as const
    }),
  )
}
