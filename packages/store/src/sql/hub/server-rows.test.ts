import { randomUUID } from 'node:crypto'
import type { ServerRow, ServerRows } from '@dataagent/hub'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { createServerRows } from './server-rows.ts'

await describeSql('server rows', (subject) => {
  const cleanup = new AsyncDisposableStack()
  let db: Kysely<Database>
  let rows: () => ServerRows
  let otherProcess: ServerRows

  beforeAll(() => {
    const open = () => {
      const engine = createEngine({ url: subject().url })
      cleanup.defer(engine.close)
      return { engine, db: new Kysely<Database>({ dialect: engine.dialect }) }
    }
    const own = open()
    db = own.db
    rows = () => createServerRows(own)
    otherProcess = createServerRows(open())
  })
  afterAll(() => cleanup.disposeAsync())

  test('a server comes back as it was stored, with a revision that rises', async () => {
    const row = aRow({ config: '{"name":"文件"}', secrets: 'v1.sealed', created_by: 'ana' })
    const revision = await rows().insert(row)
    expect(await rows().list(row.tenant_id)).toEqual([{ ...row, revision }])
    expect(await rows().insert(aRow())).toBeGreaterThan(revision)
    expect(await rows().list()).toContainEqual({ ...row, revision })
  })

  test('an id or a name that is taken is a conflict; another owner may use the name', async () => {
    const row = aRow()
    await rows().insert(row)
    const sameId = rows().insert({ ...row, name: 'other' })
    await expect(sameId).rejects.toMatchObject({ code: 'conflict' })
    const sameName = rows().insert({ ...row, server_id: 'other' })
    await expect(sameName).rejects.toMatchObject({ code: 'conflict' })
    await rows().insert({ ...row, server_id: 'other', owner: 'bo' })
    await rows().insert({ ...row, tenant_id: randomUUID() })
  })

  test('names and ids compare byte by byte', async () => {
    const row = aRow({ server_id: 'files', name: 'files' })
    await rows().insert(row)
    const others = ['Files', 'filés', 'ﬁles', 'files\u200b']
    for (const name of others) await rows().insert({ ...row, server_id: name, name })
    expect(await rows().list(row.tenant_id)).toHaveLength(5)
    const spaced = { ...row, server_id: 'x', name: 'files ' }
    await expect(rows().insert(spaced)).rejects.toMatchObject({ code: 'invalid_request' })
    const { tenant_id } = row
    expect(await rows().delete({ tenant_id, server_id: 'files ' })).toBeUndefined()
    expect(await rows().delete({ tenant_id, server_id: 'FILES' })).toBeUndefined()
    expect(await rows().list(row.tenant_id)).toHaveLength(5)
  })

  test('of 50 parallel inserts from two processes exactly the limit succeed [D31]', async () => {
    const tenant_id = randomUUID()
    const both = [rows(), otherProcess]
    const insert = (n: number, owner: string) => {
      const row = aRow({ tenant_id, owner, name: `n${n}` })
      return both[n % both.length]!.insert(row, { perOwner: 5, perTenant: 8 })
    }
    const first = await Promise.allSettled(range(50).map((n) => insert(n, 'ana')))
    expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(reasonsOf(first)).toEqual(['perOwner'])
    const second = await Promise.allSettled(range(50).map((n) => insert(n, `user${n}`)))
    expect(second.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(reasonsOf(second)).toEqual(['perTenant'])
    expect(await rows().list(tenant_id)).toHaveLength(8)
  })

  test('a refusal names the limit and takes no revision [D31]', async () => {
    const row = aRow({ owner: 'ana' })
    const before = await rows().insert(row)
    const refused = rows().insert({ ...row, server_id: 'b', name: 'b' }, { perOwner: 1 })
    await expect(refused).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('a user may have at most 1 server'),
    })
    expect(await rows().insert(aRow())).toBe(before + 1)
  })

  test('an update is made on the revision it was read at, or not at all', async () => {
    const row = aRow()
    const revision = await rows().insert(row)
    const raced = range(10).map((n) =>
      rows().update({ ...row, config: `{"n":${n}}`, revision, updated_at: 2 }),
    )
    const settled = await Promise.allSettled(raced)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [stored] = await rows().list(row.tenant_id)
    expect(stored?.revision).toBeGreaterThan(revision)
    await expect(rows().update({ ...row, revision })).rejects.toMatchObject({ code: 'conflict' })
    const unknown = rows().update({ ...row, server_id: 'unknown', revision })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a rename to a name that is taken is a conflict', async () => {
    const row = aRow({ name: 'a' })
    const revision = await rows().insert(row)
    await rows().insert({ ...row, server_id: 'b', name: 'b' })
    const renamed = rows().update({ ...row, name: 'b', revision })
    await expect(renamed).rejects.toMatchObject({ code: 'conflict' })
  })

  test('deletion takes tools and credentials along, of that server alone, and leaves the versions [A5.1]', async () => {
    const row = aRow()
    const { tenant_id, server_id } = row
    const kept = { ...row, server_id: 'kept', name: 'kept' }
    for (const server of [row, kept]) {
      await rows().insert(server)
      await rows().setCredential(aCredential(server))
      await db.insertInto('mcp_tools').values(aTool(server)).execute()
      await db.insertInto('mcp_tool_versions').values(aVersion(server)).execute()
    }
    const before = await revisionOf(tenant_id)
    expect(await rows().delete({ tenant_id, server_id })).toMatchObject({ isKept: false })
    expect(await revisionOf(tenant_id)).toBeGreaterThan(before)
    const tables = ['mcp_servers', 'mcp_tools', 'mcp_credentials'] as const
    for (const table of tables) {
      const left = db.selectFrom(table).select('server_id').where('tenant_id', '=', tenant_id)
      expect(await left.execute(), table).toEqual([{ server_id: 'kept' }])
    }
    const versions = db.selectFrom('mcp_tool_versions').select('hash')
    const own = versions.where('tenant_id', '=', tenant_id).where('server_id', '=', server_id)
    expect(await own.execute()).toHaveLength(1)
    expect(await rows().delete({ tenant_id, server_id })).toBeUndefined()
  })

  test("a user's credential is set, replaced and removed, each with a revision", async () => {
    const row = aRow()
    const { tenant_id, server_id } = row
    await rows().insert(row)
    const credential = aCredential(row)
    await rows().setCredential(credential)
    const before = await revisionOf(tenant_id)
    await rows().setCredential({ ...credential, secrets: 'v1.new' })
    expect(await revisionOf(tenant_id)).toBeGreaterThan(before)
    const found = await rows().getCredential(tenant_id, server_id, 'ana')
    expect(found).toEqual({ ...credential, secrets: 'v1.new' })
    expect(await rows().listCredentials(tenant_id, server_id)).toEqual([found])
    expect(await rows().getCredential(tenant_id, server_id, 'Ana')).toBeUndefined()
    expect(await rows().getCredential(tenant_id, server_id, 'ana ')).toBeUndefined()
    expect(await rows().deleteCredential({ tenant_id, server_id, user_id: 'ana' })).toBe(true)
    expect(await rows().deleteCredential({ tenant_id, server_id, user_id: 'ana' })).toBe(false)
  })

  test('a credential for a server that is not there is refused', async () => {
    const set = rows().setCredential(aCredential(aRow()))
    await expect(set).rejects.toMatchObject({ code: 'not_found' })
  })

  async function revisionOf(tenant_id: string): Promise<number> {
    const query = db.selectFrom('hub_revisions').select('revision')
    const own = query.where('tenant_id', '=', tenant_id).where('topic', '=', 'servers')
    return (await own.executeTakeFirstOrThrow()).revision
  }
})

function aRow(fields: Partial<ServerRow> = {}): Omit<ServerRow, 'revision'> {
  const server_id = randomUUID()
  return {
    ...{ tenant_id: randomUUID(), server_id, owner: '', name: server_id, config: '{}' },
    ...{ secrets: null, created_at: 1, updated_at: 1, created_by: null, ...fields },
  }
}

type ServerRef = Pick<ServerRow, 'tenant_id' | 'server_id'>

function aCredential({ tenant_id, server_id }: ServerRef) {
  return { tenant_id, server_id, user_id: 'ana', secrets: 'v1.sealed', updated_at: 1 }
}

function aTool({ tenant_id, server_id }: ServerRef) {
  return {
    ...{ tenant_id, server_id, name: 'read', state: 'active' as const, version: 1, hash: 'h' },
    ...{ definition: '{}', findings: '[]', pending_version: null, position: 0 },
    ...{ created_at: 1, seen_at: 1 },
  }
}

function aVersion({ tenant_id, server_id }: ServerRef) {
  return {
    ...{ tenant_id, server_id, name: 'read', version: 1, hash: 'h', definition: '{}' },
    ...{ findings: '[]', seen_at: 1, approved_at: null, approved_by: null },
  }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, n) => n)
}

function reasonsOf(settled: PromiseSettledResult<unknown>[]): unknown[] {
  const limits = settled.flatMap((one) =>
    one.status === 'rejected' ? [one.reason.data?.limit] : [],
  )
  return [...new Set(limits)]
}
