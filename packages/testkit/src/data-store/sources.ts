import { randomUUID } from 'node:crypto'
import type { DataStore } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { aDefinition, aQuery, aQuestion, aSource } from './rows.ts'

const room = { max: 1_000 }

export function testSources(data: () => DataStore): void {
  const rows = () => data().sources

  test('a source comes back as it was stored, to its own tenant alone', async () => {
    const notes = JSON.stringify({ tables: { orders: { description: '订单', hidden: true } } })
    const full = aSource({
      ...{ scope: 'user', user_id: 'ana', enabled: false, notes, status: 'failing' },
      ...{ status_text: 'no route', read_only: false, checked_at: 5, kind: 'files' },
    })
    const { tenant_id, source_id } = full
    const plain = aSource({ tenant_id, name: 'a', read_only: true })
    for (const source of [full, plain]) await rows().create(source, room)
    expect(await rows().get(tenant_id, source_id)).toEqual(full)
    expect(await rows().list(tenant_id)).toEqual([plain, full])
    expect(await rows().get('other', source_id)).toBeUndefined()
    expect(await rows().get(tenant_id, `${source_id} `)).toBeUndefined()
  })

  test('those of a tenant are in the order of their names, whatever the case', async () => {
    const tenant_id = randomUUID()
    for (const name of ['b', 'C', '上海', 'A'])
      await rows().create(aSource({ tenant_id, name }), room)
    expect((await rows().list(tenant_id)).map(({ name }) => name)).toEqual(['A', 'b', 'C', '上海'])
  })

  test('a name is given once in a tenant, whatever its case', async () => {
    const source = aSource({ name: 'Größe É' })
    const { tenant_id } = source
    await rows().create(source, room)
    const other = aSource({ tenant_id, name: 'other' })
    await rows().create(other, room)
    for (const name of ['Größe É', 'grÖße é', 'größe E\u0301']) {
      const refused = { code: 'conflict', message: expect.stringContaining('Größe É') }
      await expect(rows().create(aSource({ tenant_id, name }), room)).rejects.toMatchObject(refused)
      const renamed = rows().update(tenant_id, other.source_id, { name })
      await expect(renamed).rejects.toMatchObject(refused)
      await rows().create(aSource({ name }), room)
    }
    const again = aSource({ tenant_id, source_id: source.source_id, name: 'third' })
    await expect(rows().create(again, room)).rejects.toMatchObject({ code: 'conflict' })
    const { name } = await rows().update(tenant_id, source.source_id, { name: 'GRÖßE É' })
    expect(name).toBe('GRÖßE É')
    expect(await rows().list(tenant_id)).toHaveLength(2)
  })

  test('a change leaves what it does not name as it is', async () => {
    const source = aSource()
    const { tenant_id, source_id } = source
    await rows().create(source, room)
    const found = { status: 'ok', status_text: 'v17', read_only: true, checked_at: 7 } as const
    await Promise.all([
      rows().update(tenant_id, source_id, found),
      rows().update(tenant_id, source_id, { location: 'v1.other', updated_at: 9 }),
    ])
    const next = { ...source, ...found, location: 'v1.other', updated_at: 9 }
    expect(await rows().get(tenant_id, source_id)).toEqual(next)
    expect(await rows().update(tenant_id, source_id, {})).toEqual(next)
    const off = { enabled: false, read_only: null, status_text: null }
    expect(await rows().update(tenant_id, source_id, off)).toEqual({ ...next, ...off })
    expect(await rows().get(tenant_id, source_id)).toEqual({ ...next, ...off })
  })

  test('a change of what was changed meanwhile, or is gone, is refused', async () => {
    const source = aSource({ updated_at: 4 })
    const { tenant_id, source_id } = source
    await rows().create(source, room)
    const change = { description: 'x', updated_at: 5 }
    await rows().update(tenant_id, source_id, change, { ifUpdatedAt: 4 })
    const late = rows().update(tenant_id, source_id, { description: 'y' }, { ifUpdatedAt: 4 })
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
    expect(await rows().get(tenant_id, source_id)).toEqual({ ...source, ...change })
    const elsewhere = rows().update('other', source_id, change)
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a source that is deleted takes its definitions and questions along, no queries', async () => {
    const source = aSource()
    const { tenant_id, source_id } = source
    await rows().create(source, room)
    const general = aDefinition({ tenant_id })
    const elsewhere = aQuestion({ source_id })
    const { definitions, questions, queries } = data()
    await definitions.put(general, room)
    await definitions.put(aDefinition({ tenant_id, source_id }), room)
    await questions.put(elsewhere, room)
    await questions.put(aQuestion({ tenant_id, source_id, owner_user_id: 'ana' }), room)
    const query = await queries.add(aQuery({ tenant_id, source_id }))
    expect(await rows().delete('other', source_id)).toBe(false)
    expect(await rows().delete(tenant_id, source_id)).toBe(true)
    expect(await rows().delete(tenant_id, source_id)).toBe(false)
    expect(await definitions.list(tenant_id)).toEqual([general])
    expect(await questions.list(tenant_id, 'ana')).toEqual([])
    expect(await questions.list(elsewhere.tenant_id, null)).toEqual([elsewhere])
    expect(await queries.get(tenant_id, query.query_id)).toEqual(query)
  })

  test('there are no more of a tenant than it may have', async () => {
    const tenant_id = randomUUID()
    for (const name of ['a', 'b']) await rows().create(aSource({ tenant_id, name }), { max: 2 })
    const third = rows().create(aSource({ tenant_id, name: 'c' }), { max: 2 })
    await expect(third).rejects.toMatchObject({ code: 'quota_exceeded' })
  })
}
