import { createMcpManager, type McpManager } from '@dataagent/mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mallCommand, startMall } from './mall.ts'
import { allTools } from './tools/all-tools.ts'

/** A call of each tool, and what its result holds. */
const cases: [tool: string, args: Record<string, unknown>, holds: object][] = [
  ['mall4j.order.get_detail', { orderId: 'order-0042' }, { orderId: 'order-0042', notes: [] }],
  ['mall4j.order.list', { customerId: 'customer-007', limit: 3 }, { nextCursor: 'order-0371' }],
  ['mall4j.order.cancel', { orderId: 'order-0005' }, { status: 'cancelled' }],
  ['mall4j.order.add_note', { orderId: 'order-0007', text: 'call' }, { notes: ['call'] }],
  ['mall4j.product.search', { keyword: 'Lamp', maxPrice: 200 }, { total: 5 }],
  ['mall4j.product.get', { productId: 'product-042' }, { name: 'medium speaker' }],
  ['mall4j.stock.check', { productId: 'product-042', quantity: 1_000 }, { enough: false }],
  ['mall4j.report.sales', { by: 'region', to: '2026-01-31' }, { by: 'region', currency: 'CNY' }],
]

const names = cases.map(([tool]) => tool)

describe.each(['sse', 'http', 'stdio'] as const)('over %s', (transport) => {
  const stack = new AsyncDisposableStack()
  let manager: McpManager
  let official: Client
  beforeAll(async () => {
    // One mall for each client: both call what may be done once.
    manager = stack.use(createMcpManager())
    official = new Client({ name: 'official', version: '1.0.0' })
    stack.defer(() => official.close())
    if (transport === 'stdio') {
      await manager.addServer({ name: 'mall', transport, ...mallCommand() })
      await official.connect(new StdioClientTransport(mallCommand()))
    } else {
      const [ours, theirs] = [await startMall({ transport }), await startMall({ transport })]
      stack.use(ours)
      stack.use(theirs)
      await manager.addServer({ name: 'mall', transport, url: ours.url })
      await official.connect(toOfficial(transport, new URL(theirs.url)))
    }
  })
  afterAll(() => stack.disposeAsync())

  test.each(cases)(
    '%s answers our client and fits its output schema',
    async (tool, args, holds) => {
      const { raw } = await manager.callToolRaw(`mcp.mall.${tool}`, args)
      expect(raw.structuredContent).toMatchObject(holds)
      expect(raw.content).toEqual([{ type: 'text', text: JSON.stringify(raw.structuredContent) }])
      // The official client refuses a result that does not fit the schema that it was listed with.
      await official.listTools()
      const { structuredContent } = await official.callTool({ name: tool, arguments: args })
      expect(structuredContent).toEqual(raw.structuredContent)
    },
  )

  test('every tool says what it takes, what it gives and what it may do', () => {
    const tools = manager.connection('mall').tools
    expect(tools.map(({ name }) => name).sort()).toEqual(names.toSorted())
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object', required: expect.any(Array) })
      expect(Object.keys(annotations ?? {}).sort()).toEqual(
        ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint', 'title'].sort(),
      )
      expect(description).toBeTruthy()
    }
  })

  test('arguments that do not fit are told in a result that says so', async () => {
    for (const args of [{}, { orderId: 42 }, { orderId: 'order-9999' }]) {
      const { raw } = await manager.callToolRaw('mcp.mall.mall4j.order.get_detail', args)
      expect(raw).toMatchObject({ isError: true })
    }
  })
})

test('every tool is among the cases', () => {
  expect([...allTools.keys()].sort()).toEqual(names.toSorted())
})

function toOfficial(transport: 'sse' | 'http', url: URL): Transport {
  const Official = transport === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport
  return new Official(url) as Transport
}
