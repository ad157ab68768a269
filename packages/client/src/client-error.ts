import type { JsonObject } from '@dataagent/schema'

export interface ClientErrorFields {
  /** Of the HTTP answer; 0 where there was none. */
  status: number
  /**
   * Of the server's table of errors; `network_failed` where no answer came, `invalid_answer` where
   * it was not as agreed, `closed` where the socket has been closed.
   */
  error_code: string
  details?: JsonObject | undefined
  /** Under which the server has logged the request. */
  request_id?: string | undefined
  /** After what time the same request may succeed, where the server has said so. */
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** Why a request has not succeeded. */
export class ClientError extends Error {
  readonly status: number
  readonly error_code: string
  readonly details: JsonObject | undefined
  readonly request_id: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, fields: ClientErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'ClientError'
    this.status = fields.status
    this.error_code = fields.error_code
    this.details = fields.details
    this.request_id = fields.request_id
    this.retryAfterMs = fields.retryAfterMs
  }
}

/** Whether `error` is a ClientError, and of `error_code` where one is given. */
export function isClientError(error: unknown, error_code?: string): error is ClientError {
  if (!(error instanceof Error) || error.name !== 'ClientError') return false
  return error_code === undefined || (error as ClientError).error_code === error_code
}
