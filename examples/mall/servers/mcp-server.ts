import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { MallCall } from '../control.ts'
import type { Demo } from '../demo.ts'
import { type Shop, ShopError } from '../shop/shop.ts'
import { allTools } from '../tools/all-tools.ts'

export interface Counter {
  shop: Shop
  demo: Demo
}

/** One session's server: the SDK's own, with the tools of the shop. */
export function createMcpServer({ shop, demo }: Counter): Server {
  const server = new Server(
    { name: 'mall', title: 'Mall', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: 'A shop: orders, products, stock and sales. Amounts are in CNY.',
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: demo.definitions() }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    callTool({ shop, demo }, params, signal),
  )
  return server
}

async function callTool(
  { shop, demo }: Counter,
  { name, arguments: args = {}, _meta = {} }: CallToolRequest['params'],
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = demo.isOffered(name) ? allTools.get(name) : undefined
  if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`)
  const call: MallCall = { tool: name, arguments: args, _meta, at: Date.now(), status: 'running' }
  demo.record(call)
  signal.addEventListener('abort', () => cancel(call))
  if (demo.delayOf(name) > 0) await sleep(demo.delayOf(name), undefined, { signal, ref: false })
  const result = toResult(() => {
    const content = tool.run(shop, args)
    return demo.isBroken(name) ? withoutFirst(content, tool.definition) : content
  })
  call.status = result.isError ? 'failed' : 'ok'
  return result
}

function cancel(call: MallCall): void {
  if (call.status === 'running') call.status = 'cancelled'
}

function toResult(run: () => object): CallToolResult {
  try {
    const content = run() as Record<string, unknown>
    const text = JSON.stringify(content)
    return { content: [{ type: 'text', text }], structuredContent: content }
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

/** The content without the first field that the schema asks for. */
function withoutFirst(content: object, { outputSchema }: Tool): object {
  const [dropped] = outputSchema?.required ?? []
  return Object.fromEntries(Object.entries(content).filter(([field]) => field !== dropped))
}
