import type { Clock } from '@dataagent/guard'
import type {
  CallToolResult,
  EraVerdict,
  McpClient,
  OpenClientOptions,
  RequestOptions,
  ServerIdentity,
  ServerNotice,
  ToolDefinition,
} from '../client/contract.ts'
import type { McpError } from '../errors.ts'

export type ConnectionState =
  /** `attempt` is 0 until the first one is asked for. */
  | { status: 'connecting'; attempt: number }
  | { status: 'ready'; server: ServerIdentity; since: number }
  /** Lost or not reached; the next attempt begins at `retryAt` (milliseconds since 1970). */
  | { status: 'backing_off'; attempt: number; retryAt: number; error: McpError }
  /** A person must open `authorizationUrl`; then `reconnect`. */
  | { status: 'needs_sign_in'; error: McpError; authorizationUrl?: string }
  /** Trying again would not help: a configuration, a refused credential. Left by `reconnect`. */
  | { status: 'failed'; error: McpError }
  | { status: 'closed' }

export type ConnectionEvent =
  | { kind: 'state'; state: ConnectionState }
  /** The server offers other tools now, `undefined` while it cannot be reached. */
  | { kind: 'tools'; tools: ToolDefinition[] | undefined }
  | { kind: 'notice'; notice: ServerNotice }
  | { kind: 'warning'; text: string }
  /** The era was found out or has changed. */
  | { kind: 'verdict'; verdict: EraVerdict }

export interface ConnectionOptions
  extends Omit<OpenClientOptions, 'onNotice' | 'onWarning' | 'onClose' | 'signal' | 'remembered'> {
  name: string
  remembered?: EraVerdict | undefined
  /** A verdict older than this is found out anew. Default one day. */
  verdictMaxAgeMs?: number | undefined
  /**
   * Before attempt n after a loss: `firstMs` × 2^(n−1), at most `maxMs`, less up to half at random.
   * n begins anew when the connection has been ready for 5 s and for four times the last wait, at
   * most `maxMs`. Default 250 ms and 60 s.
   */
  backoff?: { firstMs: number; maxMs: number } | undefined
  /**
   * How often a quiet connection is asked whether it is there; 0 for never. Default 20 s. A server
   * that does not answer is found out within twice that time.
   */
  healthEveryMs?: number | undefined
  /** Must not throw. */
  onEvent?: ((event: ConnectionEvent) => void) | undefined
  clock?: Clock | undefined
  /** 0 to 1, for the jitter. */
  random?: (() => number) | undefined
}

/**
 * A server and the way to it, for as long as the host wants it: it is opened, watched, and opened
 * again when it is lost. A call is sent once: whether to send it again is the caller's choice. The
 * process is held while `connecting` or `backing_off`, and while `ready` by what the transport has
 * open; not while `failed`, `needs_sign_in` or `closed`, and never by the health probe's timer.
 */
export interface Connection extends AsyncDisposable {
  readonly name: string
  readonly state: ConnectionState
  /** The tools that the server offers now; none while it cannot be reached. */
  readonly tools: readonly ToolDefinition[]
  /**
   * The first opening, with the list of tools. Rejects when it fails, and the connection is closed
   * then: what was never there is not waited for. `step` of the error's data names what failed:
   * `start`, `initialize` or `list tools`. `signal` ends the opening. Later calls join the first;
   * once closed it rejects with `closed`.
   */
  open(options?: { signal?: AbortSignal | undefined }): Promise<void>
  /**
   * The client while ready; else throws `unavailable`, `sign_in` or `closed` at once. It belongs to
   * the connection: ask for it anew for each use, for it ends when the connection is lost, and to
   * close it is to lose it. What was subscribed to with it is lost with it.
   */
  client(): McpClient
  callTool(
    name: string,
    args?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<CallToolResult>
  /** Asks the server for its tools again. `signal` ends the waiting alone. */
  refreshTools(options?: { signal?: AbortSignal | undefined }): Promise<readonly ToolDefinition[]>
  /**
   * Opens it anew, at once, from whatever state but `closed`; an attempt that is under way is
   * joined. Rejects when the attempt fails; the connection goes on as its state then says. `signal`
   * ends the waiting alone. In place of `open` it is for a server that may come later.
   */
  reconnect(options?: { signal?: AbortSignal | undefined }): Promise<void>
  /** Settles when no process, socket or timer is left; rejects if a client could not be closed. */
  close(): Promise<void>
}
