import { parseJson } from '@dataagent/schema/base'
import { type McpError, protocolError } from '../errors.ts'
import { type Sorted, sortMessage } from './messages.ts'
import { takeRefused } from './take-refused.ts'

/**
 * Reads what one line, body or event holds: a message, or a batch of them (revision 2025-03-26). A
 * part that is no JSON-RPC message is left out; nothing left is a `protocol` error, as is text that
 * is not JSON. JSON that is nested deeper than 64 levels or has a key `__proto__` is a broken
 * answer where it tells whose answer it is, else a `protocol` error too.
 */
export function readMessages(text: string): Sorted[] {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    return [takeRefused(Buffer.from(text), cause)]
  }
  const parts = Array.isArray(value) ? value : [value]
  const sorted = parts.map(sortMessage).filter((part) => part !== undefined)
  if (sorted.length === 0) throw notJsonRpc()
  return sorted
}

export function notJsonRpc(): McpError {
  return protocolError('the server sent JSON that is no JSON-RPC message')
}
