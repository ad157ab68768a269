import { AppError, type ErrorCode } from '@dataagent/schema/base'
import { toPlainLine } from './plain-line.ts'

/** What went wrong on the way to a server or back. */
export type McpErrorKind =
  /** An HTTP answer outside 200 to 299: `statusCode` and `bodyPreview` are set. */
  | 'http'
  /** No connection, or one that was cut. */
  | 'network'
  | 'timeout'
  | 'cancelled'
  /** The server has gone, or this end was closed. */
  | 'closed'
  /** A JSON-RPC error answer: `rpc` is set. */
  | 'rpc'
  /** An answer that is not what the protocol says: not JSON, or of another shape. */
  | 'protocol'
  | 'too_large'
  /** The server no longer knows our session. */
  | 'session_lost'
  /** A person must sign in at the server's authorization server. */
  | 'sign_in'
  /** The connection is not ready just now; it is being opened again. */
  | 'unavailable'
  /** The process of the server could not be started. */
  | 'start'
  | 'not_found'
  | 'conflict'
  | 'config'

/** A JSON-RPC error as the server sent it; of its message at most 64 KiB. */
export interface RpcFault {
  code: number
  message: string
  data?: unknown
}

export interface McpErrorDetails {
  kind: McpErrorKind
  code: ErrorCode
  message: string
  /** Whether the same request may succeed later. Default: no. */
  retryable?: boolean
  /** Whether the server may have acted on the request. Default: no. */
  mayHaveRun?: boolean
  statusCode?: number | undefined
  bodyPreview?: string | undefined
  rpc?: RpcFault | undefined
  /** Plain JSON for the one who asked; never a secret. */
  data?: Record<string, unknown>
  cause?: unknown
}

/** What every call of this package fails with. Ask by `kind`, or by `code` as for any AppError. */
export class McpError extends AppError {
  readonly kind: McpErrorKind
  readonly retryable: boolean
  readonly mayHaveRun: boolean
  readonly statusCode: number | undefined
  readonly bodyPreview: string | undefined
  readonly rpc: RpcFault | undefined

  constructor(details: McpErrorDetails) {
    const { data, cause } = details
    super(details.code, details.message, {
      ...(data !== undefined && { data }),
      ...(cause !== undefined && { cause }),
    })
    this.kind = details.kind
    this.retryable = details.retryable ?? false
    this.mayHaveRun = details.mayHaveRun ?? false
    this.statusCode = details.statusCode
    this.bodyPreview = details.bodyPreview
    this.rpc = details.rpc
  }
}

/** Whether `error` is an McpError, and of `kind` where one is given. Holds across copies. */
export function isMcpError(error: unknown, kind?: McpErrorKind): error is McpError {
  if (!(error instanceof Error) || error.name !== 'AppError') return false
  const found = (error as McpError).kind
  return typeof found === 'string' && (kind === undefined || found === kind)
}

/** The same failure in other words and with more data; `error` is its cause. */
export function retellError(
  error: McpError,
  message: string,
  data: Record<string, unknown> = {},
): McpError {
  const { kind, code, retryable, mayHaveRun, statusCode, bodyPreview, rpc } = error
  return new McpError({
    ...{ kind, code, message, retryable, mayHaveRun, statusCode, bodyPreview, rpc },
    data: { ...error.data, ...data },
    cause: error,
  })
}

/** The answer of a server that speaks, but not as the protocol says. */
export function protocolError(message: string, cause?: unknown): McpError {
  return new McpError({
    kind: 'protocol',
    code: 'upstream_failed',
    message: `mcp: ${message}`,
    mayHaveRun: true,
    cause,
  })
}

/** Of the server's words the message holds this many characters, and `rpc` this many bytes. */
const wordsMax = { told: 2048, kept: 64 * 1024 }

export function rpcError(rpc: RpcFault): McpError {
  const code = rpc.code === -32601 ? 'method_not_found' : 'upstream_failed'
  const words = cutBytes(rpc.message, wordsMax.kept)
  return new McpError({
    kind: 'rpc',
    code,
    message: `mcp error ${rpc.code}: ${toPlainLine(words, wordsMax.told)}`,
    mayHaveRun: true,
    rpc: { ...rpc, message: words },
  })
}

/** A copy, so that no long text is held for the sake of its beginning. */
function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  const bytes = Buffer.alloc(Math.min(max, text.length * 3))
  return bytes.toString('utf8', 0, bytes.write(text))
}

/** A call that its own signal ended. */
export function cancelledError(signal: AbortSignal | undefined, mayHaveRun: boolean): McpError {
  const message = 'mcp: the call was cancelled'
  return new McpError({
    kind: 'cancelled',
    code: 'cancelled',
    message,
    mayHaveRun,
    cause: signal?.reason,
  })
}

export function timeoutError(what: string, ms: number, mayHaveRun: boolean): McpError {
  const message = `mcp: ${what} did not answer within ${ms} ms`
  return new McpError({ kind: 'timeout', code: 'timeout', message, retryable: true, mayHaveRun })
}

/** The other end has gone. `mayHaveRun` for a call that was under way. */
export function closedError(message: string, mayHaveRun: boolean, cause?: unknown): McpError {
  return new McpError({
    kind: 'closed',
    code: 'unavailable',
    message: `mcp: ${message}`,
    retryable: true,
    mayHaveRun,
    cause,
  })
}

/** This end was closed, or is used as it must not be: to try again does not help. */
export function closedHereError(message: string, mayHaveRun = false): McpError {
  return new McpError({
    kind: 'closed',
    code: 'unavailable',
    message: `mcp: ${message}`,
    mayHaveRun,
  })
}

export function tooLargeError(limit: number): McpError {
  const message = `mcp: the server sent a message of more than ${limit} bytes (maxMessageBytes)`
  return new McpError({ kind: 'too_large', code: 'too_large', message, mayHaveRun: true })
}
