import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

await describeSql('sign-in rows', (subject) => {
  const rows = () => subject().store.hub.signIns

  test('a record comes back as it was put last, under its own place only', async () => {
    const row = aRow()
    await rows().put({ ...row, value: 'before' })
    await rows().put(row)
    expect(await rows().get(row)).toEqual(row)
    for (const field of ['tenant_id', 'server_id', 'user_id', 'record_id'] as const) {
      expect(await rows().get({ ...row, [field]: `${row[field]} ` })).toBe(undefined)
      expect(await rows().get({ ...row, [field]: 'other' })).toBe(undefined)
    }
    await rows().delete(row)
    expect(await rows().get(row)).toBe(undefined)
  })

  test('a connection that is shared is of no user', async () => {
    const row = { ...aRow(), user_id: '' }
    await rows().put(row)
    expect(await rows().get(row)).toEqual(row)
  })

  test('what belongs to a server goes with it', async () => {
    const { servers } = subject().store.hub
    const row = aRow()
    const other = { ...row, server_id: 'other' }
    const { tenant_id, server_id } = row
    const columns = { owner: '', name: server_id, config: '{}', secrets: null, created_by: null }
    await servers.insert({ tenant_id, server_id, ...columns, created_at: 1, updated_at: 1 })
    await rows().put(row)
    await rows().put(other)
    await servers.delete({ tenant_id, server_id })
    expect(await rows().get(row)).toBe(undefined)
    expect(await rows().get(other)).toEqual(other)
  })
})

function aRow() {
  const place = { tenant_id: randomUUID(), server_id: 'mall', user_id: 'ana' }
  return { ...place, record_id: 'r'.repeat(64), value: 'sealed 😀', updated_at: 5 }
}
