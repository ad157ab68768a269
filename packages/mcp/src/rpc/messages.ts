import { isPlainObject } from '@dataagent/schema/base'
import type { RpcFault } from '../errors.ts'
import type { BrokenAnswer } from './broken-answer.ts'

// JSON-RPC 2.0 as MCP uses it: ids are strings or numbers, params are objects.

export type RequestId = string | number

export interface JsonRpcRequest {
  jsonrpc: '2.0'
  id: RequestId
  method: string
  params?: Record<string, unknown>
}

export interface JsonRpcNotification {
  jsonrpc: '2.0'
  method: string
  params?: Record<string, unknown>
}

export type JsonRpcResponse =
  | { jsonrpc: '2.0'; id: RequestId; result: unknown }
  | { jsonrpc: '2.0'; id: RequestId | null; error: RpcFault }

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse

export type Sorted =
  | { kind: 'request'; message: JsonRpcRequest }
  | { kind: 'notification'; message: JsonRpcNotification }
  | { kind: 'response'; message: JsonRpcResponse }
  | BrokenAnswer

/** Says what `value`, freshly parsed, is; `undefined` when it is no JSON-RPC message. */
export function sortMessage(value: unknown): Sorted | undefined {
  if (!isPlainObject(value) || value.jsonrpc !== '2.0') return undefined
  if (value.method !== undefined) return sortCall(value)
  const id = value.id ?? null
  if (id !== null && !isRequestId(id)) return undefined
  if (id !== null && Object.hasOwn(value, 'result')) {
    return { kind: 'response', message: value as JsonRpcResponse & object }
  }
  if (isFault(value.error)) return sortFault(id, value.error)
  return id === null
    ? undefined
    : { kind: 'broken', id, found: 'neither a result nor a proper error' }
}

function sortFault(id: RequestId | null, { code, message, data }: RpcFault): Sorted {
  const error = data === undefined ? { code, message } : { code, message, data }
  return { kind: 'response', message: { jsonrpc: '2.0', id, error } }
}

function sortCall(value: Record<string, unknown>): Sorted | undefined {
  if (typeof value.method !== 'string') return undefined
  if (value.params !== undefined && !isPlainObject(value.params)) return undefined
  if (value.id === undefined) {
    return { kind: 'notification', message: value as unknown as JsonRpcNotification }
  }
  if (!isRequestId(value.id)) return undefined
  return { kind: 'request', message: value as unknown as JsonRpcRequest }
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}

function isFault(value: unknown): value is RpcFault {
  return isPlainObject(value) && typeof value.code === 'number' && typeof value.message === 'string'
}
