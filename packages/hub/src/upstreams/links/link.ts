import type { CallToolResult, RequestOptions } from '@dataagent/mcp'
import type { Quota } from '../calls/errors.ts'

/** Plain JSON: other processes are told it too. Without secrets. */
export type LinkState =
  /** Not reached yet, and nothing says that it cannot be. */
  { status: 'connecting' } | { status: 'ready' } | LinkError

export interface LinkError {
  status: 'error'
  /** In words for the server's owner. */
  message: string
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
  /** A line that a process has written to its standard error. */
  onStderr(line: string): void
}

export interface LinkWait {
  signal?: AbortSignal | undefined
}

/** A way to one server under one credential, through this process or another. */
export interface Link {
  readonly state: LinkState
  /** The process whose connection it is; undefined while that is being found out. */
  readonly holder: string | undefined
  /** Sends once. Rejects with an McpError, at once where the link is not ready. */
  call(
    tool: string,
    args: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<CallToolResult>
  /** Asks for the tools again; settles when the catalogue has them. */
  refresh(options: LinkWait): Promise<void>
  /** Connects anew; rejects when that fails. */
  reconnect(options: LinkWait): Promise<void>
  /** Ends calls under way; settles when nothing is left. Never rejects. */
  close(): Promise<void>
}
