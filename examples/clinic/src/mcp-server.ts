import type { OwnTool, Principal } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
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

/** Whoever has started it. */
const starter: Principal = { tenant_id: 'clinic', user_id: null, role: 'admin' }

/** The tools as they are, without a hub: whoever starts it governs them. */
export function createMcpServer(tools: readonly OwnTool[]): Server {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const server = new Server(
    { name: 'clinic', title: 'Clinic', version: '1.0.0' },
    {
      capabilities: { tools: {} },
      instructions: 'A clinic with generated data: nobody in it exists.',
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(toDefinition) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId }) => {
    const tool = byName.get(params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    return call(tool, params.arguments ?? {}, { signal, call_id: `${requestId}` })
  })
  return server
}

function toDefinition(tool: OwnTool): Tool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  return {
    ...{ name, description, annotations, inputSchema: inputSchema as Tool['inputSchema'] },
    ...(title !== undefined && { title }),
    ...(outputSchema && { outputSchema: outputSchema as Tool['outputSchema'] }),
  }
}

async function call(
  tool: OwnTool,
  args: NonNullable<CallToolRequest['params']['arguments']>,
  run: { signal: AbortSignal; call_id: string },
): Promise<CallToolResult> {
  try {
    return (await tool.run(args, { principal: starter, ...run })) as CallToolResult
  } catch (error) {
    if (!isAppError(error)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}
