import { isPlainObject } from '@dataagent/schema/base'
import type {
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client'
import type { CallToolResult } from '../client/contract.ts'
import { protocolError } from '../errors.ts'
import { describe } from './words.ts'

/** The result of `method` as an object, or a `protocol` error that says what is there instead. */
export function toObject(method: string, result: unknown): Record<string, unknown> {
  if (isPlainObject(result)) return result
  throw protocolError(`the server answered "${method}" with ${describe(result)}, not an object`)
}

/** No content is an empty list of it; what is not known is kept as it is. */
export function toToolResult(result: unknown): CallToolResult {
  const found = toObject('tools/call', result)
  if (found.content === undefined) return { ...found, content: [] } as CallToolResult
  if (isListOfObjects(found.content)) return found as CallToolResult
  throw protocolError('the server answered "tools/call" with content that is no list of parts')
}

export function toReadResult(result: unknown): ReadResourceResult {
  return withList('resources/read', result, 'contents') as ReadResourceResult
}

export function toPromptResult(result: unknown): GetPromptResult {
  return withList('prompts/get', result, 'messages') as GetPromptResult
}

export function toCompleteResult(result: unknown): CompleteResult {
  const found = toObject('completion/complete', result)
  const values = isPlainObject(found.completion) ? found.completion.values : undefined
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
    return found as CompleteResult
  }
  throw protocolError('the server answered "completion/complete" without a list of values')
}

function withList(method: string, result: unknown, key: string): Record<string, unknown> {
  const found = toObject(method, result)
  if (isListOfObjects(found[key])) return found
  throw protocolError(`the server answered "${method}" without a list of "${key}"`)
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPlainObject)
}
