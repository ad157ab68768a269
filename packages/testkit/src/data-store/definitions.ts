import { randomUUID } from 'node:crypto'
import type { DataStore } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { aDefinition } from './rows.ts'

export function testDefinitions(data: () => DataStore): void {
  const rows = () => data().definitions

  test('are listed by term as they were stored, and replaced by id', async () => {
    const tenant_id = randomUUID()
    const [first, second] = ['a', 'b'].map((term) => aDefinition({ tenant_id, term }))
    for (const row of [second!, first!, aDefinition()]) await rows().put(row, { max: 2 })
    expect(await rows().list(tenant_id)).toEqual([first, second])
    const changed = { ...first!, term: 'c', source_id: 'shop', meaning: 'x'.repeat(2_000) }
    await rows().put(changed, { max: 2 })
    expect(await rows().list(tenant_id)).toEqual([second, changed])
  })

  test('one is deleted by its own tenant alone', async () => {
    const row = aDefinition()
    const { tenant_id, definition_id } = row
    await rows().put(row, { max: 1 })
    expect(await rows().delete('other', definition_id)).toBe(false)
    expect(await rows().list(tenant_id)).toEqual([row])
    expect(await rows().delete(tenant_id, definition_id)).toBe(true)
    expect(await rows().delete(tenant_id, definition_id)).toBe(false)
  })

  test('there are no more of a tenant than it may have', async () => {
    const tenant_id = randomUUID()
    const put = () => rows().put(aDefinition({ tenant_id }), { max: 1 })
    await put()
    await expect(put()).rejects.toMatchObject({ code: 'quota_exceeded' })
  })
}
