import { expect, test } from 'vitest'
import { operator } from '../identity/index.ts'
import { startTestPlatform } from '../testing/test-platform.ts'
import { offerSamples } from './offer-samples.ts'

const args = ['/gone/examples/mall/main.ts']

test('only what was registered as a sample is switched off with the samples', async () => {
  await using server = await startTestPlatform()
  const { config, hub, tables } = server.platform
  const add = (by: typeof operator | { user_id: null }, tenant_id: string, server_id: string) => {
    const config = { name: server_id, command: process.execPath, args }
    const principal = { ...operator, ...by, tenant_id }
    return hub.servers.register(principal, { server_id, scope: 'tenant', config })
  }
  const nobody = { user_id: null }
  await add(nobody, 'default', 'mall')
  await add(operator, 'default', 'clinic')
  await add(operator, 'default', 'shop')
  await add(nobody, 'acme', 'mall')
  await tables.settings.change('samples', JSON.stringify(['mall', 'clinic']))
  const means = { ...server.platform, config: { ...config, samples: 'off' as const } }
  await offerSamples(means, { signal: AbortSignal.timeout(30_000) })
  const off = hub.servers.all().filter((one) => one.config.disabled)
  expect(off.map(({ tenant_id, server_id }) => [tenant_id, server_id])).toEqual([
    ['default', 'mall'],
  ])
})
