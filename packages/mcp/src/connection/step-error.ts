import { isMcpError, McpError, retellError } from '../errors.ts'

/** What an opening consists of, in this order. */
export type Step = 'start' | 'initialize' | 'list tools'

/** `error` with the server's name and the step that failed in its message and its data. */
export function stepError(error: unknown, { name, step }: { name: string; step: Step }): McpError {
  const told = error instanceof Error ? error.message : 'an unknown failure'
  const message = `mcp: ${step} "${name}": ${told.replace(/^mcp: /, '')}`
  const data = { server: name, step }
  if (isMcpError(error)) return retellError(error, message, data)
  // Only a transport of the host's own can fail like this.
  return new McpError({ kind: 'start', code: 'internal', message, data, cause: error })
}
