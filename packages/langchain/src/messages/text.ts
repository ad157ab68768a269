import type { MessageContent } from '@langchain/core/messages'

/** Blocks that are told elsewhere in a message, or are of no use to who reads it. */
const silent: ReadonlySet<string> = new Set([
  ...['thinking', 'redacted_thinking', 'reasoning', 'reasoning_content'],
  ...['tool_use', 'tool_call', 'tool_call_chunk', 'invalid_tool_call', 'input_json_delta'],
  'functionCall',
])

/** The text of a message. What is no text (an image, a file) leaves a word in its place. */
export function toText(content: MessageContent): string {
  if (typeof content === 'string') return content
  return content.map(toPiece).join('')
}

function toPiece(block: { type?: string; text?: unknown }): string {
  if (typeof block === 'string') return block
  if (typeof block.text === 'string') return block.text
  const { type = 'unknown' } = block
  return silent.has(type) ? '' : `[${type.replace('_url', '')}]`
}
