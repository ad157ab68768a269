import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from './test-gateway.ts'

const info = { name: 'outsider', version: '1.0.0' }

test('the SDK of the first line lists and calls over Streamable HTTP and over SSE [E1.1][E1.2]', async () => {
  const { workers, key } = await startTestGateway()
  const headers = { authorization: `Bearer ${key}` }
  for (const transport of [
    new StreamableHTTPClientTransport(new URL(`${workers[0].url}/mcp`), {
      requestInit: { headers },
    }),
    new SSEClientTransport(new URL(`${workers[0].url}/mcp/v1/sse`), {
      requestInit: { headers },
      eventSourceInit: {
        fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } }),
      },
    }),
  ]) {
    const client = new Client(info)
    onTestFinished(() => client.close())
    await client.connect(transport as never)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('echo')
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
    expect(result.content).toEqual([{ type: 'text', text: 'hi' }])
  }
})

test.each(['legacy', 'auto'] as const)(
  'the SDK of the second line lists and calls, negotiating %s [E1.2]',
  async (mode) => {
    const { workers, key } = await startTestGateway()
    const client = new ModernClient(info, { versionNegotiation: { mode } })
    onTestFinished(() => client.close())
    await client.connect(
      new ModernTransport(new URL(`${workers[0].url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('echo')
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
    expect(result.content).toEqual([{ type: 'text', text: 'hi' }])
    expect(client.getNegotiatedProtocolVersion?.()).toBe(
      mode === 'auto' ? '2026-07-28' : '2025-11-25',
    )
  },
)
