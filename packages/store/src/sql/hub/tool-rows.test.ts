import { randomUUID } from 'node:crypto'
import type { ToolRow, ToolRows, ToolVersionRow } from '@dataagent/hub'
import { longCount } from '@dataagent/testkit'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { describeSql, type SqlSubject } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { createToolRows } from './tool-rows.ts'

await describeSql('tool rows', (subject) => {
  test('what is put comes back, in the order of the server [A1.2]', async () => {
    await using rows = openRows(subject())
    const last = aTool({ position: 1 })
    const tools = [last, { ...last, name: '订单查询', position: 0 }]
    await rows.put(tools.map(isNew), tools.map(firstVersion))
    expect(await rows.list(last.tenant_id, 'mall')).toEqual([tools[1], last])
    expect(await rows.listVersions(tools[1]!)).toEqual([firstVersion(tools[1]!)])
    expect(await rows.list('nobody')).toEqual([])
    expect(await rows.list(last.tenant_id, 'other')).toEqual([])
  })

  test('each change takes a higher revision, and nothing takes none', async () => {
    await using rows = openRows(subject())
    const tool = aTool()
    const first = await rows.put([isNew(tool)], [firstVersion(tool)])
    const second = await rows.put([{ row: { ...tool, seen_at: 9 }, before: tool }], [])
    expect(second).toBeGreaterThan(first)
    expect(await rows.put([], [])).toBe(0)
  })

  test('versions keep their order and their definitions', async () => {
    await using rows = openRows(subject())
    const tool = aTool()
    await rows.put([isNew(tool)], [firstVersion(tool)])
    const changed = { ...tool, state: 'pending' as const, pending_version: 2 }
    const second = aVersion(tool, { version: 2, hash: 'h2', definition: '{"x":"\\u0000"}' })
    await rows.put([{ row: changed, before: tool }], [second])
    expect(await rows.listVersions(tool)).toEqual([firstVersion(tool), second])
    expect(await rows.list(tool.tenant_id)).toEqual([changed])
    const { tenant_id, server_id, name } = tool
    const hashes = await rows.listHashes(tenant_id, server_id)
    expect(hashes).toHaveLength(2)
    expect(hashes).toContainEqual({ tenant_id, server_id, name, version: 2, hash: 'h2' })
  })

  test('the newest of the versions that nobody approved are kept, and those that count', async () => {
    await using rows = openRows(subject())
    let tool = aTool()
    await rows.put([isNew(tool)], [aVersion(tool, { approved_at: 1 })], { keep: 2 })
    for (let version = 2; version <= 8; version += 1) {
      const row = { ...tool, state: 'pending' as const, pending_version: version, seen_at: version }
      const added = aVersion(tool, { version, hash: `h${version}` })
      await rows.put([{ row, before: tool }], [added], { keep: 2 })
      tool = row
      if (version !== 4) continue
      tool = { ...row, state: 'active', version, hash: 'h4', pending_version: null }
      const approved = { approved_at: 1, approved_by: 'ana' }
      await rows.approve({ row: tool, before: row }, approved)
    }
    const kept = await rows.listVersions(tool)
    expect(kept.map(({ version }) => version)).toEqual([1, 4, 7, 8])
  })

  test('a server whose tools are followed has the newest of their versions', async () => {
    await using rows = openRows(subject())
    let tool = aTool()
    await rows.put([isNew(tool)], [aVersion(tool, { approved_at: 1 })], { keep: 2 })
    for (let version = 2; version <= 6; version += 1) {
      const row = { ...tool, version, hash: `h${version}` }
      await rows.put([{ row, before: tool }], [aVersion(row, { approved_at: version })], {
        keep: 2,
      })
      tool = row
    }
    const kept = await rows.listVersions(tool)
    expect(kept.map(({ version }) => version)).toEqual([5, 6])
  })

  test('two processes that put the same new version at once make one', async () => {
    await using one = openRows(subject())
    await using other = openRows(subject())
    const tool = aTool()
    await one.put([isNew(tool)], [firstVersion(tool)])
    const row = { ...tool, state: 'pending' as const, pending_version: 2 }
    const put = (rows: ToolRows) =>
      rows.put([{ row, before: tool }], [aVersion(tool, { version: 2, hash: 'h2' })])
    const revisions = await Promise.all([put(one), put(other), put(one), put(other)])
    expect(new Set(revisions).size).toBe(4)
    expect(await one.listVersions(tool)).toHaveLength(2)
  })

  test('two processes that put different definitions as one version: one wins, whole', async () => {
    await using one = openRows(subject())
    await using other = openRows(subject())
    const tool = aTool()
    await one.put([isNew(tool)], [firstVersion(tool)])
    const extra = aTool({ tenant_id: tool.tenant_id, name: 'extra' })
    const put = (rows: ToolRows, hash: string) =>
      rows.put([isNew({ ...extra, hash })], [aVersion(tool, { version: 2, hash })])
    const ends = await Promise.allSettled([put(one, 'ha'), put(other, 'hb')])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = ends.find((end) => end.status === 'rejected')
    expect(lost?.reason).toMatchObject({ code: 'conflict' })
    const winner = ends[0]!.status === 'fulfilled' ? 'ha' : 'hb'
    expect((await one.listVersions(tool)).at(-1)?.hash).toBe(winner)
    const stored = (await one.list(tool.tenant_id)).find(({ name }) => name === 'extra')
    expect(stored?.hash).toBe(winner)
  })

  test('a decision on what is no longer stored is a conflict', async () => {
    await using rows = openRows(subject())
    const tool = aTool()
    await rows.put([isNew(tool)], [firstVersion(tool)])
    const gone = { ...tool, state: 'gone' as const }
    await rows.put([{ row: gone, before: tool }], [])
    const late = rows.put([{ row: { ...tool, state: 'rejected' }, before: tool }], [])
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
    await expect(rows.put([isNew(tool)], [])).rejects.toMatchObject({ code: 'conflict' })
    expect(await rows.list(tool.tenant_id)).toEqual([gone])
  })

  test('what is dropped goes with its versions, unless it has changed meanwhile', async () => {
    await using rows = openRows(subject())
    const tool = aTool()
    const [old, kept, late] = ['old', 'kept', 'late'].map((name) => ({ ...tool, name }))
    if (!old || !kept || !late) throw new Error('three')
    await rows.put([old, kept].map(isNew), [old, kept].map(firstVersion))
    const drop = [{ row: old, before: old }]
    await rows.put([isNew(late)], [firstVersion(late)], { drop })
    const left = await rows.list(tool.tenant_id, tool.server_id)
    expect(left.map(({ name }) => name).sort()).toEqual(['kept', 'late'])
    expect(await rows.listVersions(old)).toEqual([])
    expect(await rows.listVersions(kept)).toEqual([firstVersion(kept)])
    const other = { ...kept, hash: 'other' }
    for (const wrong of [{ row: other, before: other }, ...drop]) {
      const put = rows.put([], [], { drop: [wrong] })
      await expect(put).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(await rows.list(tool.tenant_id, tool.server_id)).toHaveLength(2)
  })

  test('an approval names its person and version, once', async () => {
    await using rows = openRows(subject())
    const tool = aTool({ state: 'quarantined', pending_version: 1 })
    await rows.put([isNew(tool)], [firstVersion(tool)])
    const row = { ...tool, state: 'active' as const, pending_version: null }
    const approved = { approved_at: 7, approved_by: 'ana' }
    await rows.approve({ row, before: tool }, approved)
    expect(await rows.listVersions(tool)).toEqual([{ ...firstVersion(tool), ...approved }])
    expect(await rows.list(tool.tenant_id)).toEqual([row])
    const wrong = rows.approve({ row: { ...row, hash: 'no' }, before: row }, approved)
    await expect(wrong).rejects.toMatchObject({ code: 'conflict' })
    const late = rows.approve({ row: { ...row, state: 'pending' }, before: tool }, approved)
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
  })

  test('names that not every database keeps apart are refused, and one server at a time', async () => {
    await using rows = openRows(subject())
    const refused = { code: 'invalid_request' }
    for (const name of ['', 'a ', 'a\0', 'x'.repeat(192)]) {
      await expect(rows.put([isNew(aTool({ name }))], [])).rejects.toMatchObject(refused)
    }
    const mixed = rows.put([isNew(aTool()), isNew(aTool())], [])
    await expect(mixed).rejects.toMatchObject(refused)
  })

  test('large definitions in any script come back as they were', async () => {
    await using rows = openRows(subject())
    const tenant_id = randomUUID()
    const description = `😀 订单 \0 \ud800 \u200b ${'长'.repeat(200_000)}`
    const definition = JSON.stringify({ description })
    const tools = Array.from({ length: 12 }, (_, position) =>
      aTool({ tenant_id, name: `工具_${position}😀`, position, definition }),
    )
    await rows.put(tools.map(isNew), tools.map(firstVersion))
    expect(await rows.list(tenant_id)).toEqual(tools)
    const [version] = await rows.listVersions(tools[11]!)
    expect(version?.definition === definition).toBe(true)
  })

  const count = longCount(1_000, 10_000)
  test(`${count} tools are put at once, and again`, { timeout: 60_000 }, async () => {
    await using rows = openRows(subject())
    const tenant_id = randomUUID()
    const definition = JSON.stringify({ description: 'x'.repeat(300) })
    const tools = Array.from({ length: count }, (_, position) =>
      aTool({ tenant_id, name: `tool_${position}`, position, definition }),
    )
    await rows.put(tools.map(isNew), tools.map(firstVersion))
    const seen = tools.map((tool) => ({ row: { ...tool, seen_at: 5 }, before: tool }))
    await rows.put(seen, tools.map(firstVersion))
    expect(await rows.list(tenant_id)).toEqual(seen.map(({ row }) => row))
    expect(await rows.listHashes(tenant_id)).toHaveLength(tools.length)
  })
})

function openRows({ url }: SqlSubject): ToolRows & AsyncDisposable {
  const engine = createEngine({ url })
  const db = new Kysely<Database>({ dialect: engine.dialect })
  return { ...createToolRows({ db, engine }), [Symbol.asyncDispose]: () => db.destroy() }
}

function aTool(fields: Partial<ToolRow> = {}): ToolRow {
  return {
    tenant_id: randomUUID(),
    server_id: 'mall',
    name: 'order.get_detail',
    state: 'active',
    version: 1,
    hash: 'h1',
    definition: '{"name":"order.get_detail"}',
    findings: '[]',
    pending_version: null,
    position: 0,
    created_at: 1,
    seen_at: 2,
    ...fields,
  }
}

function isNew(row: ToolRow) {
  return { row, before: undefined }
}

function aVersion(tool: ToolRow, fields: Partial<ToolVersionRow> = {}): ToolVersionRow {
  const { tenant_id, server_id, name, version, hash, definition, findings, seen_at } = tool
  const own = { tenant_id, server_id, name, version, hash, definition, findings, seen_at }
  return { ...own, approved_at: null, approved_by: null, ...fields }
}

function firstVersion(tool: ToolRow): ToolVersionRow {
  return aVersion(tool)
}
