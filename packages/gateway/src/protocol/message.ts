import { isAppError, isPlainObject, readJson } from '@dataagent/schema/base'
import type { RpcFault, RpcRequest } from './contract.ts'
import { rpcCodes } from './faults.ts'

export interface RpcNotification {
  jsonrpc: '2.0'
  method: string
  params?: Record<string, unknown>
}

export interface RpcAnswer {
  jsonrpc: '2.0'
  id: string | number
  result?: unknown
  error?: RpcFault
}

/** What a client sent. `id` of what is broken is its own where it can be told, else null. */
export type Message =
  | { kind: 'request'; message: RpcRequest }
  | { kind: 'notification'; message: RpcNotification }
  | { kind: 'answer'; message: RpcAnswer }
  | { kind: 'broken'; id: string | number | null; error: RpcFault }

/** One message, or those of a batch (2025-03-26). */
export type Incoming = { batch: false; message: Message } | { batch: true; messages: Message[] }

const depthMax = 128
const batchMax = 100

export function parseIncoming(text: string): Incoming {
  const parsed = parseText(text)
  if (parsed.kind === 'broken') return { batch: false, message: parsed }
  const { value } = parsed
  if (!Array.isArray(value)) return { batch: false, message: sort(value) }
  if (value.length === 0 || value.length > batchMax) {
    const message = `A batch holds between 1 and ${batchMax} messages.`
    return { batch: false, message: broken(null, rpcCodes.request, message) }
  }
  return { batch: true, messages: value.map(sort) }
}

type Broken = Extract<Message, { kind: 'broken' }>
type Parsed = { kind: 'value'; value: unknown } | Broken

function parseText(text: string): Parsed {
  try {
    return { kind: 'value', value: readJson(text, { depthMax }) }
  } catch (error) {
    const code = isAppError(error, 'parse_error') ? rpcCodes.parse : rpcCodes.request
    const message = isAppError(error) ? error.message : 'The message is not JSON.'
    return broken(null, code, message)
  }
}

function sort(value: unknown): Message {
  if (!isPlainObject(value)) return broken(null, rpcCodes.request, 'Send a JSON-RPC 2.0 message.')
  const id = isId(value.id) ? value.id : null
  if (value.jsonrpc !== '2.0') {
    return broken(id, rpcCodes.request, 'The member jsonrpc must be "2.0".')
  }
  if (value.method !== undefined) return sortCall(value, id)
  if (id === null) return broken(null, rpcCodes.request, 'The message has neither method nor id.')
  const message = value as unknown as RpcAnswer
  if (isFault(value.error) || value.result !== undefined) return { kind: 'answer', message }
  return broken(id, rpcCodes.request, 'The answer has neither a result nor a proper error.')
}

function sortCall(value: Record<string, unknown>, id: string | number | null): Message {
  if (typeof value.method !== 'string') {
    return broken(id, rpcCodes.request, 'The member method must be a string.')
  }
  if (value.params !== undefined && !isPlainObject(value.params)) {
    return broken(id, rpcCodes.params, 'The member params must be an object.')
  }
  if (value.id === undefined) {
    return { kind: 'notification', message: value as unknown as RpcNotification }
  }
  if (id === null) {
    return broken(null, rpcCodes.request, 'The member id must be a string or a number.')
  }
  return { kind: 'request', message: value as unknown as RpcRequest }
}

function broken(id: string | number | null, code: number, message: string): Broken {
  return { kind: 'broken', id, error: { code, message } }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isFinite(value)
}

function isFault(value: unknown): value is RpcFault {
  return isPlainObject(value) && typeof value.code === 'number' && typeof value.message === 'string'
}
