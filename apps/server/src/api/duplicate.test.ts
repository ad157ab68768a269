import { expect, test } from 'vitest'
import { startTestPlatform } from '../testing/test-platform.ts'

test('what is there already is named in our words, before any quota', async () => {
  await using server = await startTestPlatform({ config: { multi_tenant: true } })
  const provider = { provider_id: 'p', name: 'P', kind: 'openai', models: ['m'] }
  const url = { base_url: 'http://127.0.0.1:9/v1' }
  const asked = [
    ['/tenants', { tenant_id: 'acme', name: 'Acme' }, 'there is a tenant acme already'],
    ['/users', { user_id: 'u', name: 'U' }, 'there is a user u already'],
    ['/agents', { assistant_id: 'a', name: 'A' }, 'there is an agent a already'],
    ['/model-providers', { ...provider, ...url }, 'there is a model provider p already'],
  ] as const
  for (const [path, json, message] of asked) {
    await server.ask('POST', path, { as: 'operator', json })
    if (path === '/users')
      await server.ask('PATCH', '/tenants/default', { as: 'operator', json: { max_users: 1 } })
    const { status, body } = await server.ask('POST', path, { as: 'operator', json })
    const details = { reason: 'exists' }
    expect([status, body]).toEqual([409, { error_code: 'conflict', message, details }])
  }
})
