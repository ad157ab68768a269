import type { Clock, Egress, SandboxOptions } from '@dataagent/guard'
import type { Authorizer } from '../auth/contract.ts'
import type {
  CallToolResult,
  EraVerdict,
  RequestOptions,
  ServerNotice,
  ServerQuestions,
} from '../client/contract.ts'
import type { Connection, ConnectionState } from '../connection/contract.ts'
import type { McpCallResult, McpTool, ToolRegistry, ToolSelection } from '../tools/contract.ts'
import type { Transport } from '../transports/transport.ts'

/** How a server is reached and which of its tools are used. Times are seconds. */
export interface McpServerConfig extends ToolSelection {
  name: string
  transport: 'stdio' | 'http' | 'sse'
  command?: string
  args?: readonly string[]
  /** The environment of the process, besides PATH, HOME and their like. */
  env?: Readonly<Record<string, string>>
  cwd?: string
  sandbox?: SandboxOptions
  url?: string
  headers?: Readonly<Record<string, string>>
  /** An http or https proxy. */
  proxy?: string
  /** Seconds a start or a call may take; unset or ≤ 0 is 30. */
  timeout?: number
  /** Retries after the first try; unset is 3, 0 turns them off. */
  maxRetries?: number
  /** Patterns of tools that may be called twice without harm, beside what annotations say. */
  idempotentTools?: readonly string[]
  /** The largest message read. Default 16 MiB. */
  maxMessageBytes?: number
}

/** What is not configuration but code or state of the host. */
export interface AddServerOptions {
  signal?: AbortSignal
  /** A ready-made transport instead of one made from the configuration, anew for each attempt. */
  createTransport?: (way: 'usual' | 'sse') => Transport | undefined
  authorizer?: Authorizer
  remembered?: EraVerdict
}

export interface McpManagerOptions {
  /** Default `mcp.{server}.{tool}`. */
  toolPrefix?: string
  /** Whether spans hold arguments and results. Default: no. */
  traceArgs?: boolean
  /** Default: one that reaches any address. */
  egress?: Egress
  clientInfo?: { name: string; version: string }
  questions?: ServerQuestions
  /** Must not throw. */
  onEvent?: (event: ManagerEvent) => void
  /** Told of every call when it begins; the returned function when it ends. Neither may throw. */
  onCall?: (call: CallSpan) => (end: CallEnd) => void
  clock?: Clock
}

export interface CallSpan {
  server: string
  tool: string
  /** Only with `traceArgs`. */
  args?: Record<string, unknown>
}

export interface CallEnd {
  status: 'ok' | 'error'
  durationMs: number
  retries: number
  error?: Error
  /** Only with `traceArgs`. */
  result?: CallToolResult
}

export type ManagerEvent =
  | { kind: 'state'; server: string; state: ConnectionState }
  /** The tools of the server have changed, have gone, or are back. Inject again to follow. */
  | { kind: 'tools'; server: string }
  | { kind: 'notice'; server: string; notice: ServerNotice }
  | { kind: 'warning'; server: string; text: string }
  | { kind: 'verdict'; server: string; verdict: EraVerdict }

export interface InjectReport {
  injected: string[]
  /** Names that a tool of the host holds: not injected. */
  taken: string[]
}

/** All servers of one host, one connection each. */
export interface McpManager extends AsyncDisposable {
  addServer(config: McpServerConfig, options?: AddServerOptions): Promise<void>
  removeServer(name: string): Promise<void>
  /** Asks one, several or all servers for their tools again. */
  refreshTools(...servers: string[]): Promise<void>
  /** The tools of one, several or all servers; none of those that cannot be reached. */
  listTools(...servers: string[]): McpTool[]
  serverNames(): string[]
  connection(server: string): Connection
  /** By the tool's SDK name. Text for a model; `callToolRaw` for the whole. */
  callTool(
    sdkName: string,
    args?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<string>
  callToolRaw(
    sdkName: string,
    args?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<McpCallResult>
  injectTools(registry: ToolRegistry): InjectReport
  removeTools(registry: ToolRegistry): void
  /** Closes every connection, then reports all failures together. */
  disconnectAll(): Promise<void>
}
