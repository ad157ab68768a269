import { randomUUID } from 'node:crypto'
import { aQuestion } from '@dataagent/testkit/data-store'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

await describeSql('rows of questions', (subject) => {
  const rows = () => subject().store.data.questions

  test('each owner has room of their own, from two processes at once', async () => {
    const tenant_id = randomUUID()
    const stores = [rows(), subject().open().data.questions]
    const put = (n: number, owner_user_id: string | null) =>
      stores[n % 2]!.put(aQuestion({ tenant_id, owner_user_id }), { max: 3 })
    const made = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => put(n, 'ana')))
    const refused = made.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(7)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'quota_exceeded' } })
    for (const owner of ['bo', null]) await put(0, owner)
    expect(await rows().list(tenant_id, 'ana')).toHaveLength(4)
  })
})
