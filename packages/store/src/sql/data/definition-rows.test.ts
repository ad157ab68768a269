import { randomUUID } from 'node:crypto'
import { aDefinition } from '@dataagent/testkit/data-store'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

await describeSql('rows of definitions', (subject) => {
  const rows = () => subject().store.data.definitions

  test('of any number at once as many are made as the tenant may have', async () => {
    const tenant_id = randomUUID()
    const stores = [rows(), subject().open().data.definitions]
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        stores[n % 2]!.put(aDefinition({ tenant_id }), { max: 4 }),
      ),
    )
    const refused = made.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(6)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'quota_exceeded' } })
    expect(await rows().list(tenant_id)).toHaveLength(4)
  })
})
