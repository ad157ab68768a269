import type { CallToolResult, RequestOptions, ToolDefinition } from '../client/contract.ts'

export interface ToolParameter {
  name: string
  type?: string | undefined
  description?: string | undefined
  required: boolean
}

export interface ToolContext {
  toolName: string
  callId: string
  extra: Record<string, unknown>
  /** Cancel and deadline of the agent loop. */
  signal?: AbortSignal | undefined
}

export type ToolHandler = (
  context: ToolContext,
  args: Record<string, unknown>,
) => Promise<unknown> | unknown

export interface ToolSpec {
  name: string
  description: string
  parameters?: readonly ToolParameter[] | undefined
  handler: ToolHandler
  /** Sent to the model as it is, in place of a schema made from `parameters`. */
  rawJsonSchema?: Record<string, unknown> | undefined
}

/** What a model is told of a tool. */
export interface ToolSchema {
  name: string
  description: string
  parameters: Record<string, unknown>
}

export interface Tool extends Readonly<Omit<ToolSpec, 'parameters' | 'rawJsonSchema'>> {
  readonly parameters: readonly ToolParameter[]
  readonly rawJsonSchema: Record<string, unknown> | undefined
  toJsonSchema(): ToolSchema
}

/** What a tool gave: as text for a model, and whole. */
export interface McpCallResult {
  text: string
  /** As the server sent it: images, resources and structured content too. */
  raw: CallToolResult
}

/** A tool of an MCP server. Its handler gives the text of the result, `callRaw` the whole. */
export interface McpTool extends Tool {
  readonly server: string
  /** The server's own name of the tool. */
  readonly originalName: string
  /** What model APIs accept: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly wireName: string
  /** What the server says of the tool. */
  readonly definition: ToolDefinition
  callRaw(args?: Record<string, unknown>, options?: RequestOptions): Promise<McpCallResult>
}

/** Which tools of a server are used. Patterns are those of Go's `path.Match`. */
export interface ToolSelection {
  /** Patterns on the server's own tool names; empty is all. */
  allowedTools?: readonly string[] | undefined
  /** Patterns; they win over `allowedTools`. */
  blockedTools?: readonly string[] | undefined
  /** The first so many of what passes; 0 is all. */
  maxTools?: number | undefined
}

/** The tools that an agent may use. Wherever a name is asked for, its wire name will do too. */
export interface ToolRegistry {
  /** Throws `conflict` when the name is taken, be it as the wire name of another tool. */
  register(tool: Tool): void
  /** Whether there was one. */
  remove(name: string): boolean
  get(name: string): Tool | undefined
  /** In the order of their registration. */
  list(): Tool[]
  /** Runs a tool; rejects with `not_found` for an unknown name, else as its handler does. */
  execute(
    name: string,
    args: Record<string, unknown>,
    context?: Partial<ToolContext>,
  ): Promise<unknown>
  /** For the model; names are wire-safe, and `execute` takes them too. */
  toJsonSchemas(): ToolSchema[]
}
