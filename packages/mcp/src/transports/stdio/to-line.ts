import { McpError } from '../../errors.ts'
import type { JsonRpcMessage } from '../../rpc/messages.ts'

/** A message as the one line that is written; JSON.stringify leaves no new line inside. */
export function toLine(message: JsonRpcMessage): string {
  try {
    return `${JSON.stringify(message)}\n`
  } catch (cause) {
    throw new McpError({
      kind: 'protocol',
      code: 'invalid_request',
      message: 'mcp: the message cannot be written as JSON',
      cause,
    })
  }
}
