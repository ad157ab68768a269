import type {
  CallToolResult,
  RequestOptions,
  ServerCapabilities,
  ServerNotice,
} from '@dataagent/mcp'
import type { ServerFault } from '@dataagent/schema'
import type { Quota } from '../calls/errors.ts'
import type { RefusedWish, Wishes } from './wishes.ts'

/** Plain JSON: other processes are told it too. Without secrets. */
export type LinkState =
  /** Not reached yet, and nothing says that it cannot be. */
  { status: 'connecting' } | { status: 'ready' } | LinkError

export interface LinkError {
  status: 'error'
  /** In words for the server's owner. */
  message: string
  /** The same for programs. */
  fault: ServerFault
  /** When the next attempt begins, milliseconds since 1970; left out where none does by itself. */
  retry_at?: number
  authorization_url?: string
  /** The limit that stands in its way. */
  quota?: Quota
}

/** What a link tells. None of these may throw. */
export interface LinkEvents {
  /** `state` has changed. The tools of a server that is ready follow before anything else. */
  onState(): void
  /** What the server offers now; settles when the catalogue has it. */
  onTools(tools: readonly unknown[]): Promise<void>
  onLog(text: string): void
  /** Something of the server has changed. Told by the process that holds the connection alone. */
  onNotice(notice: ServerNotice): void
  /** A line that a process has written to its standard error. */
  onStderr(line: string): void
}

/** What a server says of itself. Plain JSON. */
export interface LinkServer {
  capabilities: ServerCapabilities
  instructions?: string
}

/** A request for something else than a tool. */
export interface LinkAsk {
  method: string
  params: Record<string, unknown>
}

export interface LinkWait {
  signal?: AbortSignal | undefined
}

export interface LinkOptions extends RequestOptions {
  /** As `CallContext` says it. */
  logLevel?: string | undefined
}

/** A way to one server under one credential, through this process or another. */
export interface Link {
  readonly state: LinkState
  /** The process whose connection it is; undefined while that is being found out. */
  readonly holder: string | undefined
  /** Set while ready. */
  readonly server: LinkServer | undefined
  /** Sends once. Rejects with an McpError, at once where the link is not ready. */
  call(tool: string, args: Record<string, unknown>, options: LinkOptions): Promise<CallToolResult>
  /** As `call`, for what is no tool. A list comes whole. */
  ask(asked: LinkAsk, options: LinkOptions): Promise<Record<string, unknown>>
  /**
   * What `who`, another process or this one, wants to be told from now on. Gives what the server
   * does not grant; rejects where it cannot be asked, and then the wishes stand for later.
   */
  wish(wishes: Wishes, who?: string): Promise<RefusedWish[]>
  /** Asks for the tools again; settles when the catalogue has them. */
  refresh(options: LinkWait): Promise<void>
  /** Connects anew; rejects when that fails. */
  reconnect(options: LinkWait): Promise<void>
  /**
   * Other processes that use it wait from now on for the one that connects next; what they have
   * asked is still answered. Left out where there are none.
   */
  handOver?(): void
  /** Ends calls under way; settles when nothing is left. Never rejects. */
  close(): Promise<void>
}
