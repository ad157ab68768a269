import { randomUUID } from 'node:crypto'
import type { DataStore, QueryKey, QueryRow } from '@dataagent/schema'
import { beforeEach, expect, test } from 'vitest'
import { aQuery } from './rows.ts'

export function testQueries(data: () => DataStore): void {
  const rows = () => data().queries
  const add = (fields: Partial<QueryRow> = {}) => rows().add(aQuery({ as_of: 1e12, ...fields }))

  beforeEach(async () => rows().forgetDeleted(await rows().listDeleted(1_000)))

  test('a query comes back as it was stored, digit by digit', async () => {
    const query = aQuery({
      sql: `select '${'长'.repeat(70_000)}'`,
      ...{ purpose: 'why', row_count: 10_000_000_000, verified_question_id: 'v' },
      columns: [{ name: 'a "quoted" 名', type: 'DECIMAL(38,10)', kind: 'decimal' }],
      rows: [['12345678901234567890123456789.0123456789', 0.1, true, null, 'a\0b\ud800']],
    })
    const added = await rows().add(query)
    expect(added).toEqual({ ...query, number: 1 })
    expect(await rows().get(query.tenant_id, query.query_id)).toEqual(added)
    expect(await rows().get('other', query.query_id)).toBeUndefined()
    expect(await rows().get(query.tenant_id, `${query.query_id} `)).toBeUndefined()
  })

  test('of a scope the last that gave rows are listed, and each is found by its number', async () => {
    const place = { tenant_id: randomUUID(), scope_id: 'user:ana' }
    const { tenant_id, scope_id } = place
    const [first, failed, third, fourth] = [
      await rows().add(aQuery({ ...place, as_of: 9 })),
      await rows().add(aQuery({ ...place, error: 'refused' })),
      await rows().add(aQuery(place)),
      await rows().add(aQuery(place)),
    ]
    await rows().add(aQuery({ ...place, scope_id: 'user:bo' }))
    expect(await rows().listScope(tenant_id, scope_id, { limit: 9 })).toEqual([
      first,
      third,
      fourth,
    ])
    expect(await rows().listScope(tenant_id, scope_id, { limit: 2 })).toEqual([third, fourth])
    expect(await rows().listScope('other', scope_id, { limit: 9 })).toEqual([])
    expect(await rows().getNumber(tenant_id, scope_id, 2)).toEqual(failed)
    expect(await rows().getNumber(tenant_id, scope_id, 5)).toBeUndefined()
    expect(await rows().getNumber('other', scope_id, 1)).toBeUndefined()
  })

  test('those of a tenant are listed newest first, page by page, of a user or a source', async () => {
    const tenant_id = randomUUID()
    const [a, b, c] = [
      await add({ tenant_id, as_of: 1, user_id: 'bo' }),
      await add({ tenant_id, as_of: 3, source_id: 'mall' }),
      await add({ tenant_id, as_of: 2, error: 'refused' }),
    ]
    const list = (page: object) => rows().list(tenant_id, { limit: 10, offset: 0, ...page })
    expect(await list({})).toEqual([b, c, a])
    expect(await list({ limit: 1, offset: 1 })).toEqual([c])
    expect(await list({ user_id: 'bo' })).toEqual([a])
    expect(await list({ source_id: 'mall', user_id: 'ana' })).toEqual([b])
    expect(await list({ source_id: 'mall', user_id: 'bo' })).toEqual([])
  })

  test('a copy of a scope has its queries by their numbers, and outlives it', async () => {
    const tenant_id = randomUUID()
    const [from, to] = [randomUUID(), randomUUID()]
    const place = { tenant_id, scope_id: from }
    const own = [
      await add({ ...place, rows: [['名', 0.1, null]], purpose: 'why', verified_question_id: 'v' }),
      await add({ ...place, error: 'refused' }),
      await add(place),
    ]
    await add({ ...place, tenant_id: randomUUID() })
    const copied = await rows().copyScope(tenant_id, { from, to })
    expect(copied.map(({ query_id }) => query_id)).toEqual(own.map(({ query_id }) => query_id))
    await rows().deleteScopes([from])
    for (const [at, { copy_id }] of copied.entries()) {
      const copy = { ...own[at], query_id: copy_id, scope_id: to }
      expect(await rows().getNumber(tenant_id, to, at + 1)).toEqual(copy)
      expect(await rows().get(tenant_id, copy_id)).toEqual(copy)
    }
    expect((await add({ tenant_id, scope_id: to })).number).toBe(4)
    await expect(rows().copyScope(tenant_id, { from: to, to })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('a copy of a scope as it was then counts on from there', async () => {
    const tenant_id = randomUUID()
    const from = randomUUID()
    const place = { tenant_id, scope_id: from }
    for (const as_of of [1e12, 1e12 + 5, 1e12 + 9, 1e12 + 8]) await add({ ...place, as_of })
    const copyBefore = async (before: number) => {
      const to = randomUUID()
      const copied = await rows().copyScope(tenant_id, { from, to, before })
      return [copied.length, (await add({ tenant_id, scope_id: to })).number]
    }
    expect(await copyBefore(1e12 + 6)).toEqual([2, 3])
    expect(await copyBefore(1e12 + 9)).toEqual([2, 3])
    expect(await copyBefore(1e12 + 10)).toEqual([4, 5])
    expect(await copyBefore(1e12)).toEqual([0, 1])
  })

  test('a copy of what was deleted by age leaves the numbers taken; of nothing it is nothing', async () => {
    const tenant_id = randomUUID()
    const [from, to, none] = [randomUUID(), randomUUID(), randomUUID()]
    await add({ tenant_id, scope_id: from, as_of: 1 })
    await rows().deleteBefore(2, 1_000)
    expect(await rows().copyScope(tenant_id, { from, to, before: 5 })).toEqual([])
    expect((await add({ tenant_id, scope_id: to })).number).toBe(2)
    expect(await rows().copyScope(tenant_id, { from: none, to: none })).toEqual([])
    expect((await add({ tenant_id, scope_id: none })).number).toBe(1)
  })

  test('an id is taken once, and who comes second takes no number', async () => {
    const query = aQuery({ as_of: 1e12 })
    await rows().add(query)
    await expect(rows().add(query)).rejects.toMatchObject({ code: 'conflict' })
    expect((await rows().add({ ...query, query_id: randomUUID() })).number).toBe(2)
    const elsewhere = { ...query, query_id: randomUUID(), tenant_id: randomUUID() }
    expect((await rows().add(elsewhere)).number).toBe(1)
  })

  test('that are deleted with their session are told until what they kept is gone too', async () => {
    const place = { tenant_id: randomUUID(), scope_id: randomUUID() }
    const own = [await add(place), await add({ ...place, error: 'refused' })]
    const kept = await add({ tenant_id: place.tenant_id })
    await rows().deleteScopes([place.scope_id, 'none'])
    for (const { tenant_id, query_id } of own) {
      expect(await rows().get(tenant_id, query_id)).toBeUndefined()
    }
    expect(await rows().get(kept.tenant_id, kept.query_id)).toEqual(kept)
    expect(toKeys(await rows().listDeleted(10))).toEqual(toKeys(own))
    const [first] = await rows().listDeleted(1)
    const [second] = toKeys(own).filter(({ query_id }) => query_id !== first?.query_id)
    await rows().forgetDeleted([first!, { tenant_id: 'other', query_id: second!.query_id }])
    expect(await rows().listDeleted(10)).toEqual([second])
    await rows().deleteScopes([])
    await rows().forgetDeleted([])
    expect(await rows().listDeleted(10)).toEqual([second])
  })

  test('that are deleted by age are the oldest of all tenants, some at a time', async () => {
    await rows().deleteBefore(31, 1_000)
    await rows().forgetDeleted(await rows().listDeleted(1_000))
    const old: QueryRow[] = []
    for (const as_of of [10, 30, 20]) old.push(await add({ as_of }))
    const kept = await add({ as_of: 31 })
    expect(await rows().deleteBefore(31, 2)).toBe(2)
    expect(toKeys(await rows().listDeleted(10))).toEqual(toKeys([old[0]!, old[2]!]))
    expect(await rows().deleteBefore(31, 2)).toBe(1)
    expect(await rows().deleteBefore(31, 2)).toBe(0)
    expect(toKeys(await rows().listDeleted(10))).toEqual(toKeys(old))
    expect(await rows().get(kept.tenant_id, kept.query_id)).toEqual(kept)
  })

  test('that are deleted leave their numbers taken, as long as their session is there', async () => {
    const place = { tenant_id: randomUUID(), scope_id: randomUUID() }
    await add({ ...place, as_of: 1 })
    await add({ ...place, as_of: 2 })
    await rows().deleteBefore(3, 10)
    expect((await add(place)).number).toBe(3)
    await rows().deleteScopes([place.scope_id])
    expect((await add(place)).number).toBe(1)
  })
}

function toKeys(queries: readonly QueryKey[]): QueryKey[] {
  const keys = queries.map(({ tenant_id, query_id }) => ({ tenant_id, query_id }))
  return keys.sort((a, b) =>
    `${a.tenant_id}/${a.query_id}` < `${b.tenant_id}/${b.query_id}` ? -1 : 1,
  )
}
