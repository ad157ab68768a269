import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aNote, aTenant, notesOf } from '../test-builders.ts'

await describeSql('tenants and settings', (subject) => {
  const revisionOf = async (tenant_id: string) => {
    const rows = await subject().store.hub.revisions.changedSince(0)
    return rows.find((row) => row.tenant_id === tenant_id && row.topic === 'tenants')?.revision
  }

  test('a tenant keeps its limits up to 2^53 - 1 and its features [D35.2]', async () => {
    const { tenants } = subject().store
    const tenant = aTenant({ workspace_quota: Number.MAX_SAFE_INTEGER, features_enabled: ['mcp'] })
    const { tenant_id } = tenant
    const before = await tenants.count()
    await tenants.create(tenant)
    expect(await tenants.get(tenant_id)).toEqual(tenant)
    const updated = await tenants.update(tenant_id, { max_users: 3, features_enabled: [] })
    expect(updated).toEqual({ ...tenant, max_users: 3, features_enabled: [] })
    expect(await tenants.get(tenant_id)).toEqual(updated)
    await expect(tenants.create(tenant)).rejects.toMatchObject({ code: 'conflict' })
    const lost = tenants.update('nobody', { max_users: 1 })
    await expect(lost).rejects.toMatchObject({ code: 'not_found' })
    expect(await tenants.list({ limit: 100, offset: 0 })).toContainEqual(updated)
    expect(await tenants.count()).toBe(before + 1)
  })

  test('each change takes a revision and is noted; a refused one does neither', async () => {
    const { store } = subject()
    const tenant = aTenant()
    const { tenant_id } = tenant
    const note = () => aNote({ tenant_id, kind: 'tenant', target: tenant_id })
    await store.tenants.create(tenant, { note: note() })
    const first = await revisionOf(tenant_id)
    await store.tenants.update(tenant_id, { name: 'New' }, { note: note() })
    const second = await revisionOf(tenant_id)
    expect(second).toBeGreaterThan(first!)
    await expect(store.tenants.create(tenant, { note: note() })).rejects.toThrow()
    expect(await revisionOf(tenant_id)).toBe(second)
    expect(await notesOf(store, tenant_id)).toHaveLength(2)
  })

  test('a setting is set once by setIfAbsent, and changed with a revision and a note', async () => {
    const { store } = subject()
    const { settings } = store
    const values = await Promise.all(['a', 'b', 'c'].map((v) => settings.setIfAbsent('check', v)))
    expect(new Set(values).size).toBe(1)
    expect(await settings.get('check')).toBe(values[0])
    expect(await settings.get('nothing')).toBeUndefined()
    const note = () => aNote({ tenant_id: '*', kind: 'setting', target: 'check' })
    await settings.change('check', 'd', { note: note() })
    await settings.change('new', 'e', { note: note() })
    expect([await settings.get('check'), await settings.get('new')]).toEqual(['d', 'e'])
    expect(await notesOf(store, '*')).toHaveLength(2)
    expect(await revisionOf('*')).toBeGreaterThan(0)
  })
})
