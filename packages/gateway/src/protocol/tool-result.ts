import type { ToolResult } from '@dataagent/hub'
import type { Caller, Exchange } from './contract.ts'

/**
 * A result as the client's revision has it. A structured one is text too, the one that our own
 * agents read, so that a client that knows no structured content reads it; the JSON part is for the
 * source's profile alone: it breaks Dify and the official SDK.
 */
export function toStandardResult(
  given: ToolResult,
  { caller, exchange }: { caller: Caller; exchange: Exchange },
): Record<string, unknown> {
  const { structuredContent } = given.raw
  const result: Record<string, unknown> = { ...given.raw }
  if (structuredContent !== undefined) {
    result.content = withText(given, caller)
    if (exchange.era === 'legacy' && !isObject(structuredContent)) delete result.structuredContent
  }
  if (exchange.era === 'modern') result.resultType = 'complete'
  else delete result.resultType
  return result
}

function withText({ raw, text }: ToolResult, { profile }: Caller): unknown[] {
  const { content, structuredContent } = raw
  const parts: unknown[] = Array.isArray(content) ? [...content] : []
  if (!parts.some(isText)) parts.push({ type: 'text', text })
  return profile === 'seed' ? [{ type: 'json', json: structuredContent }, ...parts] : parts
}

function isText(part: unknown): boolean {
  return isObject(part) && (part as { type?: unknown }).type === 'text'
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
