import type { CallToolResult } from '@dataagent/mcp'
import { AppError, isPlainObject, judgeJson, readJson } from '@dataagent/schema'
import { isJsonBeyond } from '../json-beyond.ts'

/** As much as servers may answer. */
const maxBytes = 16 * 1024 * 1024

/**
 * What a tool's function gave, as MCP has it: a string is text; an object is structured content,
 * and its JSON as text for who reads no other; so is a list, under the name `result`. Other values
 * are text, unless `isTyped` says that an output schema speaks of them. Throws `too_large` for what
 * no server could give.
 */
export function toToolResult(value: unknown, isTyped: boolean): CallToolResult {
  if (isJsonBeyond(value, maxBytes)) throw tooLarge()
  if (!isTyped && isToolResult(value)) return value
  if (value === undefined) return { content: [] }
  const text = typeof value === 'string' ? value : toJson(value)
  const content: CallToolResult['content'] = [{ type: 'text', text }]
  const isWhole = typeof value === 'object' && value !== null
  if (!isWhole && !isTyped) return { content }
  return { content, structuredContent: toStructured(toPlain(value, text)) }
}

function tooLarge(): AppError {
  return new AppError('too_large', `the tool gave a result of more than ${maxBytes} bytes`)
}

/** Under a name where it is no object: MCP has objects only. */
function toStructured(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : { result: value }
}

function isToolResult(value: unknown): value is CallToolResult {
  if (!isPlainObject(value) || !Array.isArray(value.content)) return false
  return value.content.every((part) => isPlainObject(part) && typeof part.type === 'string')
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    throw new AppError('invalid_result', 'the tool gave a value that JSON cannot hold', { cause })
  }
}

/** Dates, undefined fields and the like as JSON writes them. */
function toPlain(value: unknown, text: string): unknown {
  const verdict = judgeJson(value)
  return verdict.status === 'ok' ? value : readJson(text, { what: 'result' })
}
