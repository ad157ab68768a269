import { type AppError, errorTable, isAppError } from './errors.ts'
import type { ErrorEvent } from './events/execution-events.ts'
import { isPlainObject, judgeJson } from './judge-json.ts'
import type { JsonObject } from './parse-json.ts'
import type { ErrorResponse } from './rest/error-response.ts'

/** The error member of a JSON-RPC answer. `data.error_code` is the code of the error table. */
export interface RpcError {
  code: number
  message: string
  data: JsonObject
}

/** What may be told of an error, whatever the edge. */
interface Told {
  error_code: keyof typeof errorTable
  message: string
  details?: JsonObject
}

/**
 * The REST answer to `error`. What is not an AppError is `internal`: told by `request_id` alone,
 * under which the whole of it must be logged by the caller.
 */
export function toErrorResponse(
  error: unknown,
  request_id: string,
): { status: number; body: ErrorResponse } {
  const told = toTold(error, request_id)
  return { status: errorTable[told.error_code].http, body: told }
}

/** The JSON-RPC error for `error`; `reference` as `request_id` of `toErrorResponse`. */
export function toRpcError(error: unknown, reference: string): RpcError {
  const { error_code, message, details } = toTold(error, reference)
  return { code: errorTable[error_code].rpc, message, data: { ...details, error_code } }
}

/**
 * The error event for `error`; `reference` as `request_id` of `toErrorResponse`. Recoverable where
 * a retry may help.
 */
export function toErrorEvent(
  error: unknown,
  { timestamp, reference }: { timestamp: number; reference: string },
): ErrorEvent {
  const { error_code, message } = toTold(error, reference)
  const recoverable = errorTable[error_code].retryable
  return { event_type: 'error', timestamp, error: message, recoverable, error_code, reference }
}

function toTold(error: unknown, reference: string): Told {
  if (!isAppError(error) || error.code === 'internal') {
    const message = `Something went wrong on our side. When asking for help, quote ${reference}.`
    return { error_code: 'internal', message, details: { reference } }
  }
  const details = toDetails(error)
  return { error_code: error.code, message: toMessage(error), ...(details && { details }) }
}

/** What a store says of itself may name where it is: that is for the log. */
function toMessage({ code, data, message }: AppError): string {
  if (data?.store === undefined) return message
  const store = data.store === 'key-value' ? 'key-value store' : 'database'
  if (code === 'store_unavailable')
    return `The ${store} is away or too busy. Try again in a moment.`
  return code === 'storage_full' ? `The ${store} is full.` : message
}

/** An answer must be JSON: data that is not is left out rather than failing the answer. */
function toDetails({ data }: AppError): JsonObject | undefined {
  if (!isPlainObject(data) || judgeJson(data).status === 'fault') return undefined
  if (!('store' in data)) return data as JsonObject
  const { store: _store, fault: _fault, ...rest } = data as JsonObject
  return Object.keys(rest).length > 0 ? rest : undefined
}
