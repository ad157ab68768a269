import type { Clock, Egress, SandboxOptions } from '@dataagent/guard'
import type { Authorizer } from '../auth/contract.ts'
import type {
  CallToolResult,
  EraVerdict,
  OpenClientOptions,
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
  command?: string | undefined
  args?: readonly string[] | undefined
  /** The environment of the process, besides PATH, HOME and their like. */
  env?: Readonly<Record<string, string>> | undefined
  cwd?: string | undefined
  sandbox?: SandboxOptions | undefined
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** An http or https proxy. */
  proxy?: string | undefined
  /** Seconds a start or a call may take; unset or ≤ 0 is 30. */
  timeout?: number | undefined
  /** Retries after the first try; unset is 3, 0 turns them off. */
  maxRetries?: number | undefined
  /** Patterns of tools that may be called twice without harm, beside what annotations say. */
  idempotentTools?: readonly string[] | undefined
  /** The largest message read. Default 16 MiB. */
  maxMessageBytes?: number | undefined
}

/** As McpServerConfig, for a server whose transports the host makes: see `createTransport`. */
export interface HostedServerConfig extends Omit<McpServerConfig, 'transport'> {
  transport?: McpServerConfig['transport'] | undefined
}

/** What is not configuration but code or state of the host. */
export interface AddServerOptions {
  signal?: AbortSignal | undefined
  /**
   * A ready-made transport instead of one made from the configuration. Asked for anew for each
   * attempt, for a transport has one life; `sse` only where the usual one was refused as too old.
   */
  createTransport?: ((way: 'usual' | 'sse') => Transport | undefined) | undefined
  authorizer?: Authorizer | undefined
  /** What a `verdict` event told of this server before: spares finding it out. */
  remembered?: EraVerdict | undefined
}

export interface McpManagerOptions {
  /** Default `mcp.{server}.{tool}`. */
  toolPrefix?: string | undefined
  /** Whether spans hold arguments and results. Default: no. */
  traceArgs?: boolean | undefined
  /** Default: one that reaches any address. */
  egress?: Egress | undefined
  clientInfo?: { name: string; version: string } | undefined
  questions?: ServerQuestions | undefined
  /** Must not throw. */
  onEvent?: ((event: ManagerEvent) => void) | undefined
  /** Told of every call when it begins; the returned function when it ends. Neither may throw. */
  onCall?: ((call: CallSpan) => (end: CallEnd) => void) | undefined
  clock?: Clock | undefined
}

export interface CallSpan {
  server: string
  /** The server's own name of the tool. */
  tool: string
  /** Only with `traceArgs`. */
  args?: Record<string, unknown>
}

export interface CallEnd {
  /** `error` also, and then without `error`, for a tool that says it has failed. */
  status: 'ok' | 'error'
  /** Retries and the waits between them included. */
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
  /** A line that a server over stdio wrote to its stderr; at most 50 a second. */
  | { kind: 'stderr'; server: string; line: string }
  | { kind: 'verdict'; server: string; verdict: EraVerdict }

export interface InjectReport {
  injected: string[]
  /** Names that a tool of the host holds: not injected. */
  taken: string[]
}

/**
 * All servers of one host, one connection each, which comes back when it is lost. What fails is an
 * McpError; an unknown server or tool is `not_found`.
 */
export interface McpManager extends AsyncDisposable {
  /**
   * Starts a server, initialises it, lists and converts its tools. A failure leaves nothing behind;
   * `server` and `step` of its data say where it was. `config` for a configuration that cannot be
   * used, or has a field that is not known; `conflict` for a name in use, also one that is being
   * added or removed, and for a server of which a tool would have the name of another server's.
   */
  addServer(config: McpServerConfig, options?: AddServerOptions): Promise<void>
  addServer(
    config: HostedServerConfig,
    options: AddServerOptions & Pick<OpenClientOptions, 'createTransport'>,
  ): Promise<void>
  /** Also ends an `addServer` that is under way, which then rejects with `cancelled`. */
  removeServer(name: string): Promise<void>
  /**
   * Asks one, several or all servers for their tools again. All are asked; then what failed is told
   * together. A tool whose name another server's tool has by now is left out with a warning.
   */
  refreshTools(...servers: string[]): Promise<void>
  /** The tools of one, several or all servers; none of those that cannot be reached. */
  listTools(...servers: string[]): McpTool[]
  /** In the order they were added; without those that are still being added. */
  serverNames(): string[]
  /** The connection of a server. To close it is to remove the server. */
  connection(server: string): Connection
  /**
   * By the tool's SDK name or wire name. Gives text for a model; `callToolRaw` gives the whole. A
   * call that fails in a way that may pass is tried again, up to `maxRetries` times; one that may
   * have run only where the tool is idempotent. The timeout is that of each try; `signal` ends all.
   */
  callTool(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<string>
  callToolRaw(
    name: string,
    args?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<McpCallResult>
  /** Takes out what it had put into this registry, then puts in what `listTools` gives. */
  injectTools(registry: ToolRegistry): InjectReport
  /** Takes out exactly what `injectTools` put in and is still there. */
  removeTools(registry: ToolRegistry): void
  /** Closes every connection, then tells all failures together. Servers can be added again. */
  disconnectAll(): Promise<void>
}
