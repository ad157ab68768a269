import { expect, test } from 'vitest'
import { readMessages } from '../rpc/read-messages.ts'
import { createMcpClient } from './client.ts'
import { createTestServer, fault } from './test-server.ts'

test('TestJSONRPCRequest_Marshal: version, id, method and params, and nothing else', async () => {
  const server = createTestServer({ methods: { echo: (params) => params } })
  await using client = createMcpClient({ transport: server.transport })
  await client.initialize()
  await client.request('echo', { text: 'hello' })
  await client.request('ping')
  const [withParams, without] = server.received.slice(-2).map((sent) => JSON.stringify(sent))
  expect(withParams).toBe('{"jsonrpc":"2.0","id":2,"method":"echo","params":{"text":"hello"}}')
  expect(without).toBe('{"jsonrpc":"2.0","id":3,"method":"ping"}')
})

test('TestJSONRPCResponse_Unmarshal: the result as it was sent', () => {
  const text = '{"jsonrpc":"2.0","id":7,"result":{"tools":[],"other":null}}'
  expect(readMessages(text)).toEqual([
    {
      kind: 'response',
      message: { jsonrpc: '2.0', id: 7, result: { tools: [], other: null } },
    },
  ])
})

test('TestJSONRPCResponse_Error: code, message and data are kept', async () => {
  const server = createTestServer({
    methods: {
      fail: () => {
        throw fault(-32042, 'a special failure', { detail: [1, 2] })
      },
    },
  })
  await using client = createMcpClient({ transport: server.transport })
  await client.initialize()
  await expect(client.request('fail')).rejects.toMatchObject({
    kind: 'rpc',
    message: 'mcp error -32042: a special failure',
    rpc: { code: -32042, message: 'a special failure', data: { detail: [1, 2] } },
  })
})

test('ids rise from 1 for each client, so that they never meet those of another', async () => {
  const servers = [createTestServer(), createTestServer()]
  for (const server of servers) {
    await using client = createMcpClient({ transport: server.transport })
    await client.initialize()
    await Promise.all([client.ping(), client.ping(), client.ping()])
    const ids = server.received.flatMap((sent) => ('id' in sent ? [sent.id] : []))
    expect(ids).toEqual([1, 2, 3, 4])
  }
})
