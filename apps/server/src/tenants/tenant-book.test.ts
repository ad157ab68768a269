import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { hasFeature } from './has-feature.ts'
import { createTenantBook } from './tenant-book.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const aTenant = (tenant_id: string) => ({
  ...{ tenant_id, name: tenant_id, created_at: 1, features_enabled: ['mcp'] },
  ...{ max_users: null, max_sessions_per_user: null, max_mcp_servers: null, workspace_quota: 1 },
})

describe('the tenants in memory', () => {
  test('are all that there are, more than a page of them, and follow what is changed', async () => {
    const { tenants } = server.platform.tables
    const ids = Array.from({ length: 250 }, (_, at) => `tenant-${at}`)
    for (const id of ids) await tenants.create(aTenant(id))
    const book = createTenantBook({ tenants })
    expect(book.get('tenant-249')).toBeUndefined()
    expect(book.featuresOf('tenant-249')).toEqual([])
    await book.reload()
    expect(ids.every((id) => book.get(id)?.name === id)).toBe(true)
    await tenants.update('tenant-7', { features_enabled: ['*'] })
    expect(book.featuresOf('tenant-7')).toEqual(['mcp'])
    await book.reload('tenant-7')
    expect(book.featuresOf('tenant-7')).toEqual(['*'])
    await book.reload('nobody')
    expect(book.get('nobody')).toBeUndefined()
  })

  test('of other processes are heard of within a second or so', async () => {
    const { tables, tenants, hub } = server.platform
    await tables.tenants.update('acme', { max_users: 77 })
    await hub.revisions.check()
    expect(tenants.get('acme')?.max_users).toBe(77)
  })
})

test.each([
  [[], false],
  [['*'], true],
  [['auto_approve'], true],
  [['*', '-auto_approve'], false],
  [['auto_approve', '-*'], false],
  [['mcp'], false],
])('of the features %j auto_approve is on: %s', (features, isOn) => {
  expect(hasFeature(features, 'auto_approve')).toBe(isOn)
})
