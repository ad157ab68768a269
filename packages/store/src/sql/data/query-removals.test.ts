import { randomUUID } from 'node:crypto'
import type { QueryKey, QueryRow } from '@dataagent/schema'
import { aQuery } from '@dataagent/testkit/data-store'
import { beforeEach, expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

await describeSql('queries that are deleted', (subject) => {
  const rows = () => subject().store.data.queries
  const add = (fields: Partial<QueryRow> = {}) => rows().add(aQuery({ as_of: 1e12, ...fields }))

  beforeEach(async () => rows().forgetDeleted(await rows().listDeleted(1_000)))

  test('by two processes at once are deleted once', async () => {
    for (let as_of = 0; as_of < 20; as_of += 1) await add({ as_of })
    const stores = [rows(), subject().open().data.queries]
    const deleted = await Promise.all(
      Array.from({ length: 6 }, (_, n) => stores[n % 2]!.deleteBefore(20, 100)),
    )
    expect(deleted.reduce((sum, n) => sum + n)).toBe(20)
    expect(await rows().listDeleted(100)).toHaveLength(20)
  })

  test('while others are added are either deleted or there, never both or neither', async () => {
    const place = { tenant_id: randomUUID(), scope_id: randomUUID() }
    const other = subject().open().data.queries
    const adding = Array.from({ length: 20 }, () => add(place))
    const deleting = Array.from({ length: 4 }, () => other.deleteScopes([place.scope_id]))
    const added = toKeys(await Promise.all(adding))
    await Promise.all(deleting)
    const left = await rows().listScope(place.tenant_id, place.scope_id, { limit: 100 })
    const deleted = await rows().listDeleted(100)
    expect(toKeys([...left, ...deleted])).toEqual(added)
  })
})

function toKeys(queries: readonly QueryKey[]): QueryKey[] {
  const keys = queries.map(({ tenant_id, query_id }) => ({ tenant_id, query_id }))
  return keys.sort((a, b) =>
    `${a.tenant_id}/${a.query_id}` < `${b.tenant_id}/${b.query_id}` ? -1 : 1,
  )
}
