import type { ToolResultEvent } from './events/index.ts'

/**
 * What a call has given as people are shown it: as the model reads it, or where it was more than
 * text as MCP has it, `{ content, structuredContent? }`.
 */
export function toShownResult({
  result,
  shown,
}: Pick<ToolResultEvent, 'result' | 'shown'>): unknown {
  if (!shown || typeof result !== 'string') return result
  const { with_text, content, ...rest } = shown
  return { ...rest, content: with_text ? [{ type: 'text', text: result }, ...content] : content }
}
