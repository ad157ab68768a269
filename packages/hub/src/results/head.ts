import type { CallToolResult } from '@dataagent/mcp'
import { isJsonBeyond } from '../json-beyond.ts'
import { type Part, partInWords } from './part-in-words.ts'
import { toFirstPage } from './to-pages.ts'

const metaMax = 4_096

/** The beginning of a result of text, and a line on the rest. */
export function toTextHead(raw: CallToolResult, beginning: string, note: string): CallToolResult {
  return toResult(raw, [toTextPart(beginning), toTextPart(note)])
}

/**
 * The parts of a result as far as `bytes` go: text is cut, what is no text is named with its type
 * and size, structured content is left out.
 */
export function toMixedHead(raw: CallToolResult, bytes: number, note: string): CallToolResult {
  const parts: Part[] = []
  let left = bytes
  for (const part of raw.content) {
    const shown = toShown(part, left)
    left -= Buffer.byteLength(JSON.stringify(shown))
    parts.push(shown)
    if (left <= 0) break
  }
  const hidden = raw.content.length - parts.length
  if (hidden > 0) parts.push(toTextPart(`[${hidden} more parts]`))
  if (raw.structuredContent !== undefined) {
    parts.push(toTextPart('[the structured content is too large and was left out]'))
  }
  return toResult(raw, [...parts, toTextPart(note)])
}

/** A part that fits is shown as it is. */
function toShown(part: Part, left: number): Part {
  if (part.type === 'text') return { ...part, text: toFirstPage(part.text, Math.max(64, left)) }
  if (isJsonWithin(part, Math.min(left, smallPart))) return part
  return toTextPart(`[${partInWords(part)}, too large to show]`)
}

/** A picture of this size is still shown beside a result that is cut. */
const smallPart = 16 * 1024

function toResult(raw: CallToolResult, content: Part[]): CallToolResult {
  const result: CallToolResult = { content }
  if (raw.isError !== undefined) result.isError = raw.isError
  if (raw._meta !== undefined && isJsonWithin(raw._meta, metaMax)) result._meta = raw._meta
  return result
}

/** What is surely longer is not written to find out. */
function isJsonWithin(value: unknown, characters: number): boolean {
  return !isJsonBeyond(value, characters) && JSON.stringify(value).length <= characters
}

function toTextPart(text: string): Part {
  return { type: 'text', text }
}
