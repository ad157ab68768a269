import { expect, test } from 'vitest'
import { changesOf, newTenant, readTenant, toFields } from './read-tenant.ts'

const tenant = {
  ...{ tenant_id: 'acme', name: 'Acme', max_users: 5, max_sessions_per_user: null },
  ...{ max_mcp_servers: 0, workspace_quota: 1.5 * 2 ** 30, features_enabled: ['*', '-mcp:wiki'] },
  created_at: 1,
}

test('a form that nobody has touched changes nothing', () => {
  const { tenant_id: _, created_at: __, ...settings } = tenant
  expect(readTenant(toFields(tenant))).toEqual(settings)
})

test.each([500_000, 100_000_000, 0, null])('a new name leaves a quota of %j as it is', (bytes) => {
  const small = { ...tenant, workspace_quota: bytes }
  expect(changesOf(small, toFields(small))).toEqual({})
  expect(changesOf(small, { ...toFields(small), name: 'B' })).toEqual({ name: 'B' })
  expect(changesOf(small, { ...toFields(small), workspace_quota: '2' })).toEqual({
    workspace_quota: 2 ** 31,
  })
})

test('a small quota is shown as what it is, and not as none', () => {
  expect(toFields({ ...tenant, workspace_quota: 500_000 }).workspace_quota).toBe('0.0004657')
})

test('a limit that is left empty is none', () => {
  expect(readTenant({ ...newTenant, name: 'B', workspace_quota: '' })).toMatchObject({
    ...{ max_users: null, workspace_quota: null, features_enabled: ['*'] },
  })
})

test('features are separated by lines, spaces or commas, and listed once', () => {
  const features_enabled = 'tools, mcp\nmcp -mcp:wiki'
  expect(readTenant({ ...newTenant, features_enabled }).features_enabled).toEqual([
    ...['tools', 'mcp', '-mcp:wiki'],
  ])
})
