import { expect, test } from 'vitest'
import type { JsonRpcMessage } from '../rpc/messages.ts'
import { createInProcessTransport } from '../transports/in-process.ts'
import { createMcpClient } from './client.ts'

test('TestMCPClient_Initialize', async () => {
  const sent: JsonRpcMessage[] = []
  const transport = createInProcessTransport((message) => {
    sent.push(message)
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    }
    return 'id' in message ? { jsonrpc: '2.0', id: message.id, result } : undefined
  })
  await using client = createMcpClient({ transport })
  const server = await client.initialize()
  expect(server).toMatchObject({ version: '2025-06-18', serverInfo: { name: 's', version: '1' } })
  expect(sent.map((m) => 'method' in m && m.method)).toEqual([
    'initialize',
    'notifications/initialized',
  ])
})
