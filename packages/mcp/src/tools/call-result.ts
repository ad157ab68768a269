import type { CallToolResult } from '../client/contract.ts'
import type { McpCallResult } from './contract.ts'

/** The result of a tool as text for a model, with the whole beside it. */
export function toCallResult(raw: CallToolResult): McpCallResult {
  const text = raw.content
    .flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []))
    .join('\n')
  return { text: raw.isError === true ? `Error: ${text}` : text, raw }
}
