import { McpError } from '../../errors.ts'
import type { JsonRpcMessage } from '../../rpc/messages.ts'

/** A message as it is sent. Throws an McpError for a value that JSON cannot hold. */
export function toText(message: JsonRpcMessage): string {
  try {
    return JSON.stringify(message)
  } catch (cause) {
    throw new McpError({
      kind: 'config',
      code: 'invalid_request',
      message: 'mcp: the message cannot be sent: its arguments cannot be written as JSON',
      cause,
    })
  }
}
