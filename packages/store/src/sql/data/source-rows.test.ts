import { randomUUID } from 'node:crypto'
import { aSource } from '@dataagent/testkit/data-store'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

const room = { max: 1_000 }

await describeSql('rows of data sources', (subject) => {
  const rows = () => subject().store.data.sources

  test('of the same name at once from two processes one is made', async () => {
    const tenant_id = randomUUID()
    const stores = [rows(), subject().open().data.sources]
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        stores[n % 2]!.create(aSource({ tenant_id, name: n % 3 ? 'shop' : 'Shop' }), room),
      ),
    )
    const refused = made.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(9)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'conflict' } })
  })

  test('of two that take the same name at once one gets it', async () => {
    const sources = ['a', 'b'].map((name) => aSource({ tenant_id: 'renamed', name }))
    for (const source of sources) await rows().create(source, room)
    const stores = [rows(), subject().open().data.sources]
    const done = await Promise.allSettled(
      sources.map(({ source_id }, n) => stores[n]!.update('renamed', source_id, { name: 'X' })),
    )
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = done.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 'conflict' } })
  })

  test('of any number at once as many are made as the tenant may have', async () => {
    const tenant_id = randomUUID()
    const stores = [rows(), subject().open().data.sources]
    const make = (n: number) =>
      stores[n % 2]!.create(aSource({ tenant_id, name: `s${n}` }), { max: 3 })
    const made = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => make(n)))
    const refused = made.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(7)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'quota_exceeded' } })
    expect(await rows().list(tenant_id)).toHaveLength(3)
  })

  test('two processes change what each of them names', async () => {
    const source = aSource()
    const { tenant_id, source_id } = source
    await rows().create(source, room)
    const stores = [rows(), subject().open().data.sources]
    await Promise.all([
      stores[0]!.update(tenant_id, source_id, { status: 'ok', checked_at: 7 }),
      stores[1]!.update(tenant_id, source_id, { location: 'v1.other', updated_at: 9 }),
    ])
    const both = { status: 'ok', checked_at: 7, location: 'v1.other', updated_at: 9 }
    expect(await rows().get(tenant_id, source_id)).toEqual({ ...source, ...both })
  })

  test('a name that not every database could hold is refused', async () => {
    const source = aSource()
    await rows().create(source, room)
    for (const name of ['', ' a', 'a\0b', 'x'.repeat(192), 'İ'.repeat(191)]) {
      const refused = { code: 'invalid_request' }
      await expect(rows().create(aSource({ name }), room)).rejects.toMatchObject(refused)
      const renamed = rows().update(source.tenant_id, source.source_id, { name })
      await expect(renamed).rejects.toMatchObject(refused)
    }
  })
})
