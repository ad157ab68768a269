import { once } from 'node:events'
import type { Socket } from 'node:net'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createConnector, type Lookup } from './connector.ts'
import { toPolicyRules } from './policy.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const rules = toPolicyRules({ mode: 'public', allowedAddresses: ['allowed.example'] })

function connect(server: TestServer, hostname: string, lookup: Lookup): Promise<Socket> {
  const connector = createConnector({
    destination: { hostname, port: server.port },
    rules,
    lookup,
    allowSetting: 'allowedAddresses',
    connect: {},
  })
  return new Promise((resolve, reject) => {
    connector({ hostname, protocol: 'http:', port: String(server.port) }, (error, socket) =>
      error === null ? resolve(socket) : reject(error),
    )
  })
}

test('the address that was reached is checked again, should an IP literal have slipped through', async () => {
  await using server = await startTestServer(() => {})
  const never: Lookup = () => Promise.reject(new Error('an IP literal is not looked up'))
  await expect(connect(server, '127.0.0.1', never)).rejects.toMatchObject({ code: 'egress_denied' })
  await waitFor(() => server.connections() === 1 && server.open() === 0)
})

test('the socket goes to the answers that were checked [T5]', async () => {
  await using server = await startTestServer(() => {})
  const asked: string[] = []
  const lookup: Lookup = async (hostname) => {
    asked.push(hostname)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const socket = await connect(server, 'allowed.example', lookup)
  expect(socket.remoteAddress).toBe('127.0.0.1')
  expect(asked).toEqual(['allowed.example'])
  socket.destroy()
  await once(socket, 'close')
})

test('a name without addresses fails', async () => {
  await using server = await startTestServer(() => {})
  const none = connect(server, 'allowed.example', async () => [])
  await expect(none).rejects.toMatchObject({ code: 'upstream_failed' })
})
