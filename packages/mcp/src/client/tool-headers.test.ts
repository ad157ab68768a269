import { expect, test } from 'vitest'
import { McpError } from '../errors.ts'
import type { CallOptions, TransportKind } from '../transports/transport.ts'
import { createMcpClient } from './client.ts'
import { createTestServer, type Method, modernMethods } from './test-server.ts'

const region = (header: string) => ({
  name: 'query',
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': header } },
  },
})

async function connect(methods: Record<string, Method>, kind: TransportKind = 'http') {
  const server = createTestServer({ kind, methods: { ...modernMethods(), ...methods } })
  const sent: (CallOptions['headers'] | string)[] = []
  const warnings: string[] = []
  const client = createMcpClient({
    transport: {
      ...server.transport,
      call(request, options) {
        sent.push(request.method === 'tools/call' ? options?.headers : request.method)
        return server.transport.call(request, options)
      },
    },
    onWarning: (text) => warnings.push(text),
  })
  await client.connect()
  return { client, sent: () => sent.slice(1), warnings }
}

/** As the HTTP transport tells of HTTP 400 with a JSON-RPC error in its body. */
const mismatch = new McpError({
  kind: 'http',
  code: 'upstream_failed',
  message: 'mcp: http 400: ',
  statusCode: 400,
  rpc: { code: -32020, message: 'Header mismatch' },
})

test('over HTTP the arguments that the list names go into headers', async () => {
  const { client, sent } = await connect({
    'tools/list': () => ({ tools: [region('Region')] }),
    'tools/call': () => ({}),
  })
  await client.listTools()
  await client.callTool('query', { region: 'eu' })
  await client.callTool('query', {})
  expect(sent()).toEqual(['tools/list', { 'Mcp-Param-Region': 'eu' }, undefined])
})

test('an annotation that is gone from the list is no longer followed', async () => {
  const lists = [[region('Region')], [{ name: 'query', inputSchema: { type: 'object' } }]]
  const { client, sent } = await connect({
    'tools/list': () => ({ tools: lists.shift() }),
    'tools/call': () => ({}),
  })
  await client.listTools()
  await client.listTools()
  await client.callTool('query', { region: 'eu' })
  expect(sent()).toEqual(['tools/list', 'tools/list', undefined])
})

test('a tool whose annotation breaks the rules is left out, over HTTP alone', async () => {
  const good = { name: 'good', inputSchema: { type: 'object' } }
  const methods = { 'tools/list': () => ({ tools: [region('a b'), good] }) }
  const { client, warnings } = await connect(methods)
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['good'])
  expect(warnings).toEqual(['the tool "query" was left out: x-mcp-header is no header name'])
  const pipe = await connect(methods, 'stdio')
  expect((await pipe.client.listTools()).map(({ name }) => name)).toEqual(['query', 'good'])
})

test('a call refused for its headers is sent again after another look at the list', async () => {
  let calls = 0
  const { client, sent } = await connect({
    'tools/list': () => ({ tools: [region('Region')] }),
    'tools/call': () => {
      calls += 1
      if (calls === 1) throw mismatch
      return { content: [] }
    },
  })
  expect(await client.callTool('query', { region: 'eu' })).toEqual({ content: [] })
  expect(sent()).toEqual([undefined, 'tools/list', { 'Mcp-Param-Region': 'eu' }])
})

test('a server that refuses the headers again is told of', async () => {
  const { client, sent } = await connect({
    'tools/list': () => ({ tools: [region('Region')] }),
    'tools/call': () => {
      throw mismatch
    },
  })
  await expect(client.callTool('query', { region: 'eu' })).rejects.toBe(mismatch)
  expect(sent()).toHaveLength(3)
})
