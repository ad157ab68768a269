import { randomUUID } from 'node:crypto'
import { aQuery } from '@dataagent/testkit/data-store'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

await describeSql('rows of queries', (subject) => {
  const rows = () => subject().store.data.queries

  test('one that failed is stored with why; what no database holds is replaced', async () => {
    const error = 'no column a\0b'
    const failed = aQuery({ error, sql: 'select \0', row_count: null, rows: [], columns: [] })
    const stored = await rows().add(failed)
    expect(stored).toMatchObject({ error: 'no column a\ufffdb', sql: 'select \ufffd' })
    expect(await rows().get(failed.tenant_id, failed.query_id)).toEqual(stored)
  })

  test('100 at once from two processes are numbered 1 to 100, each scope by itself', async () => {
    const place = { tenant_id: randomUUID(), scope_id: randomUUID() }
    const other = { ...place, tenant_id: randomUUID() }
    const stores = [rows(), subject().open().data.queries]
    const added = await Promise.all(
      Array.from({ length: 100 }, (_, n) => stores[n % 2]!.add(aQuery(place))),
    )
    const counted = Array.from({ length: 100 }, (_, n) => n + 1)
    expect(added.map(({ number }) => number).sort((a, b) => a - b)).toEqual(counted)
    const listed = await rows().listScope(place.tenant_id, place.scope_id, { limit: 1_000 })
    expect(listed.map(({ number }) => number)).toEqual(counted)
    expect((await rows().add(aQuery(other))).number).toBe(1)
  })

  test('an id that not every database could hold is refused', async () => {
    const unknown = rows().add(aQuery({ query_id: 'a ' }))
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
