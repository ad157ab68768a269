/**
 * The one error table. `http` is the status of a REST answer, `rpc` the code of a JSON-RPC answer,
 * `retryable` whether the same request may succeed later unchanged.
 */
export const errorTable = {
  invalid_request: { http: 400, rpc: -32602, retryable: false },
  invalid_arguments: { http: 400, rpc: -32602, retryable: false },
  parse_error: { http: 400, rpc: -32700, retryable: false },
  method_not_found: { http: 404, rpc: -32601, retryable: false },
  unauthenticated: { http: 401, rpc: -32602, retryable: false },
  forbidden: { http: 403, rpc: -32602, retryable: false },
  tool_not_allowed: { http: 403, rpc: -32602, retryable: false },
  approval_required: { http: 403, rpc: -32602, retryable: false },
  approval_rejected: { http: 403, rpc: -32602, retryable: false },
  egress_denied: { http: 403, rpc: -32602, retryable: false },
  path_denied: { http: 403, rpc: -32602, retryable: false },
  method_not_allowed: { http: 405, rpc: -32601, retryable: false },
  unsupported_media_type: { http: 415, rpc: -32700, retryable: false },
  not_found: { http: 404, rpc: -32602, retryable: false },
  conflict: { http: 409, rpc: -32602, retryable: false },
  too_large: { http: 413, rpc: -32602, retryable: false },
  rate_limited: { http: 429, rpc: -32000, retryable: true },
  quota_exceeded: { http: 429, rpc: -32000, retryable: false },
  cancelled: { http: 499, rpc: -32800, retryable: false },
  internal: { http: 500, rpc: -32603, retryable: false },
  config_invalid: { http: 500, rpc: -32603, retryable: false },
  secret_unreadable: { http: 500, rpc: -32603, retryable: false },
  process_failed: { http: 502, rpc: -32603, retryable: false },
  invalid_result: { http: 502, rpc: -32603, retryable: false },
  unknown_outcome: { http: 502, rpc: -32603, retryable: false },
  upstream_failed: { http: 502, rpc: -32603, retryable: true },
  unavailable: { http: 503, rpc: -32603, retryable: true },
  store_unavailable: { http: 503, rpc: -32603, retryable: true },
  timeout: { http: 504, rpc: -32603, retryable: true },
  storage_full: { http: 507, rpc: -32603, retryable: true },
} as const satisfies Record<string, { http: number; rpc: number; retryable: boolean }>

export type ErrorCode = keyof typeof errorTable

export interface AppErrorOptions {
  /** Plain JSON for the one who asked; never a secret. */
  data?: Record<string, unknown>
  cause?: unknown
}

/** The one thrown error. Ask by `code`, not by instanceof: `isAppError(error, 'conflict')`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly data: Record<string, unknown> | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.data = options.data
  }
}

/**
 * Whether `error` is an AppError, and of `code` where one is given. Holds across copies of this
 * module.
 */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  if (!(error instanceof Error) || error.name !== 'AppError') return false
  const found = (error as AppError).code
  return Object.hasOwn(errorTable, found) && (code === undefined || found === code)
}
