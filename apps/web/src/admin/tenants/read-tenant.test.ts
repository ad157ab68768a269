import { expect, test } from 'vitest'
import { newTenant, readTenant, toFields } from './read-tenant.ts'

const tenant = {
  ...{ tenant_id: 'acme', name: 'Acme', max_users: 5, max_sessions_per_user: null },
  ...{ max_mcp_servers: 0, workspace_quota: 1.5 * 2 ** 30, features_enabled: ['*', '-mcp:wiki'] },
  created_at: 1,
}

test('a form that nobody has touched changes nothing', () => {
  const { tenant_id: _, created_at: __, ...settings } = tenant
  expect(readTenant(toFields(tenant))).toEqual(settings)
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
