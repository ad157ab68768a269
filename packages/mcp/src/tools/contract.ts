export interface ToolParameter {
  name: string
  type?: string
  description?: string
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
  parameters?: readonly ToolParameter[]
  handler: ToolHandler
  /** Sent to the model as it is, in place of a schema made from `parameters`. */
  rawJsonSchema?: Record<string, unknown>
}

/** What a model is told of a tool. */
export interface ToolSchema {
  name: string
  description: string
  parameters: Record<string, unknown>
}

export interface Tool extends Readonly<Required<Omit<ToolSpec, 'rawJsonSchema'>>> {
  readonly rawJsonSchema: Record<string, unknown> | undefined
  toJsonSchema(): ToolSchema
}

/** Where a name came from, for tools of MCP servers. */
export interface McpTool extends Tool {
  readonly server: string
  /** The server's own name of the tool. */
  readonly originalName: string
  /** What model APIs accept: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly wireName: string
}

/** The tools that an agent may use, by name. */
export interface ToolRegistry {
  /** Throws `conflict` when the name is taken. */
  register(tool: Tool): void
  /** Whether there was one. */
  remove(name: string): boolean
  get(name: string): Tool | undefined
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
