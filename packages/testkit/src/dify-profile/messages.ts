import { fault } from './fault.ts'
import { isObject } from './models.ts'

type Params = Record<string, unknown>

/** The bytes of a request: the order of its members is Dify's. */
export function encodeRequest(id: number, method: string, params: Params | undefined): string {
  return JSON.stringify({ method, ...(params && { params }), jsonrpc: '2.0', id })
}

export function encodeNotification(method: string): string {
  return JSON.stringify({ method, jsonrpc: '2.0' })
}

export const initializeParams: Params = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'Dify', version: '1.16.1' },
}

/** What is null or blank is not sent. */
export function toSentArguments(args: Params): Params {
  const isSent = (value: unknown) =>
    value !== null && value !== undefined && !(typeof value === 'string' && value.trim() === '')
  return Object.fromEntries(Object.entries(args).filter(([, value]) => isSent(value)))
}

export type Message =
  | { kind: 'result'; id: string | number; result: Params }
  | { kind: 'error'; id: string | number; code: number; message: string }
  | { kind: 'request'; id: string | number; method: string }
  | { kind: 'notification' }

/** Throws `invalid` for what is none of the four. */
export function parseMessage(text: string): Message {
  const message = parseJson(text)
  if (!isObject(message) || message.jsonrpc !== '2.0') throw notOurs(text)
  const { method, result, error } = message
  const id = toId(message.id)
  if (typeof method === 'string')
    return id === undefined ? { kind: 'notification' } : { kind: 'request', id, method }
  if (id !== undefined && isObject(result)) return { kind: 'result', id, result }
  const isError =
    isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string'
  if (id === undefined || !isError) throw notOurs(text)
  return { kind: 'error', id, code: Number(error.code), message: String(error.message) }
}

/** A string that is a whole number counts as the number; null is no id. */
function toId(id: unknown): string | number | undefined {
  if (Number.isInteger(id)) return id as number
  if (typeof id !== 'string') return undefined
  return /^-?\d+$/.test(id) ? Number(id) : id
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notOurs(text)
  }
}

function notOurs(text: string): Error {
  return fault(
    'invalid',
    `This is no JSON-RPC message for Dify: ${JSON.stringify(text.slice(0, 200))}`,
  )
}
