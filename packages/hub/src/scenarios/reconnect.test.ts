import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startMall } from '@dataagent/example-mall'
import { startFaultProxy, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { everything, startTestHub, tenant_id, toContext } from './test-hub.ts'
import { getOrder } from './test-mall-words.ts'
import { openTestStore } from './test-store.ts'

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

test('a call that comes right after a start waits until its server is connected', async () => {
  await using store = await openTestStore()
  await using mall = await startMall()
  await using proxy = await startFaultProxy({ target: mall.url })
  const options = { ...store.options, settings: { defaultAllow: everything } }
  {
    await using before = await startTestHub(options)
    await before.connect({ name: 'mall', url: proxy.url, transport: 'sse' }, 'mall')
  }
  await proxy.set({ kind: 'delay', ms: 300 })
  await using after = await startTestHub(options)
  expect(after.hub.catalogue.ofServer(tenant_id, 'mall')[0]?.offer.status).toBe('unavailable')
  const called = await after.hub.callTool(toContext(), getOrder)
  expect(called).toMatchObject({ status: 'ok' })

  await proxy.set({ kind: 'refuse' })
  await after.offered('mall', false)
  const begun = performance.now()
  expect(await after.hub.callTool(toContext(), getOrder)).toMatchObject({ status: 'unavailable' })
  expect(performance.now() - begun).toBeLessThan(5_000)
})
