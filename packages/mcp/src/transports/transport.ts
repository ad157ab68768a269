import type { McpError } from '../errors.ts'
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from '../rpc/messages.ts'

export type TransportKind = 'stdio' | 'http' | 'sse' | 'in-process'

/** What a transport tells the protocol above it. None of these may throw. */
export interface TransportEvents {
  /**
   * A request or notification of the server, in the order it was sent. `call` is the id of our
   * request on whose stream it came, where calls have streams of their own.
   */
  onMessage(message: JsonRpcRequest | JsonRpcNotification, call?: RequestId): void
  /** The server has gone by itself: once, never after `close`. Calls under way fail with it too. */
  onClose(error: McpError): void
  /** Something was skipped or went wrong without ending anything: for a log. */
  onWarning(text: string): void
  /** The server has answered the call with this id, for which nobody waits any more. */
  onLateAnswer?(id: RequestId): void
}

export interface CallOptions {
  /** Ends the call at once: it rejects with `cancelled` and nothing is kept for it. */
  signal?: AbortSignal | undefined
  /** For HTTP alone: further headers of this request. */
  headers?: Record<string, string> | undefined
  /** The answer may take for ever (`subscriptions/listen`): no limit of time or of quiet. */
  endless?: boolean | undefined
}

/** What both ends have agreed on. */
export interface Protocol {
  era: Era
  /** A revision: `2025-11-25`. */
  version: string
}

/** `legacy` begins with `initialize` (until 2025-11-25), `modern` needs none (from 2026-07-28). */
export type Era = 'legacy' | 'modern'

/**
 * The way to one server, for one life: `start` once, `close` once. A transport knows nothing of MCP
 * but its framing: deadlines, capabilities and retries are the business of the protocol above.
 */
export interface Transport {
  readonly kind: TransportKind
  /**
   * Opens the way. Rejects with an McpError, and then leaves nothing behind. `signal` ends the
   * opening alone.
   */
  start(events: TransportEvents, options?: { signal?: AbortSignal | undefined }): Promise<void>
  /**
   * Sends a request and gives the answer with its id. Many may be under way at once. Rejects with
   * an McpError; a JSON-RPC error is an answer, not a rejection.
   */
  call(request: JsonRpcRequest, options?: CallOptions): Promise<JsonRpcResponse>
  /** Sends a notification, or the answer to a request of the server. Rejects as `call` does. */
  send(message: JsonRpcNotification | JsonRpcResponse, options?: CallOptions): Promise<void>
  /** Called once when the protocol is known, before the first call that depends on it. */
  negotiated?(protocol: Protocol): void
  /**
   * Ends everything: calls under way reject with `closed`, and when it settles no process, socket
   * or timer is left. Later calls join the first. Never rejects for a server that has gone already.
   */
  close(): Promise<void>
}
