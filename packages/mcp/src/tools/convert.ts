import { isPlainObject } from '@dataagent/schema/base'
import type { RequestOptions, ToolDefinition } from '../client/contract.ts'
import type { McpCallResult, McpTool, ToolSelection } from './contract.ts'
import { createToolFilter } from './filter.ts'
import { defaultToolPrefix, toSdkName, toWireName } from './names.ts'
import { fromSchema } from './parameters.ts'
import { createTool } from './tool.ts'

export interface ConvertOptions {
  server: string
  /** As the server lists them. */
  definitions: readonly ToolDefinition[]
  /** Calls the tool at its server. */
  call(
    definition: ToolDefinition,
    args: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<McpCallResult>
  /** Default: all. */
  selection?: ToolSelection | undefined
  /** Default `mcp.{server}.{tool}`. */
  toolPrefix?: string | undefined
}

/** Makes tools of what a server lists: those that `selection` lets through, in their order. */
export function convertMcpTools(options: ConvertOptions): McpTool[] {
  const { definitions, selection = {} } = options
  const { maxTools = 0 } = selection
  const isAllowed = createToolFilter(selection)
  const chosen = definitions.filter(({ name }) => isAllowed(name))
  const kept = maxTools > 0 ? chosen.slice(0, maxTools) : chosen
  return kept.map((definition) => toTool(definition, options))
}

function toTool(definition: ToolDefinition, options: ConvertOptions): McpTool {
  const { server, call, toolPrefix = defaultToolPrefix } = options
  const { name: originalName, description = '', inputSchema } = definition
  const name = toSdkName(toolPrefix, server, originalName)
  const tool = createTool({
    name,
    description: `[MCP:${server}] ${description}`.trimEnd(),
    parameters: fromSchema(inputSchema),
    handler: async ({ signal }, args) => (await call(definition, args, { signal })).text,
    ...(isPlainObject(inputSchema) && { rawJsonSchema: inputSchema }),
  })
  return {
    ...tool,
    server,
    originalName,
    wireName: toWireName(name),
    definition,
    callRaw: (args = {}, given = {}) => call(definition, args, given),
  }
}
