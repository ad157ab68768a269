import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestHub, tenant_id } from './test-hub.ts'

test('a server that is away or refuses is waited for as the hub is set [A1.4]', async () => {
  const http = createServer((_, response) => response.writeHead(401).end())
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const reconnect = { firstMs: 5 * 60_000, maxMs: 10 * 60_000 }
  await using rig = await startTestHub({ settings: { reconnect } })
  const begun = Date.now()
  await rig.register({ name: 'away', command: '/bin/false' }, 'away')
  await rig.register({ name: 'refusing', url }, 'refusing')
  const waitOf = async (server_id: string) => {
    const at = await waitFor(() => rig.hub.upstreams.health(tenant_id, server_id)[0]?.retry_at)
    return at - begun
  }
  expect(await waitOf('away')).toBeGreaterThanOrEqual(reconnect.firstMs / 2)
  expect(await waitOf('refusing')).toBeGreaterThanOrEqual(reconnect.maxMs / 2)
  http.closeAllConnections()
  http.close()
})
