import { isMcpError, McpError, type McpErrorDetails } from '../errors.ts'

/** What an opening consists of, in this order. */
export type Step = 'start' | 'initialize' | 'list tools'

/** `error` with the server's name and the step that failed in its message and its data. */
export function stepError(error: unknown, { name, step }: { name: string; step: Step }): McpError {
  const details = isMcpError(error) ? toDetails(error) : unexpected(error)
  const message = `mcp: ${step} "${name}": ${details.message.replace(/^mcp: /, '')}`
  return new McpError({ ...details, message, data: { ...details.data, server: name, step } })
}

function toDetails(error: McpError): McpErrorDetails {
  const { kind, code, message, retryable, mayHaveRun } = error
  const { statusCode, bodyPreview, rpc, data } = error
  return {
    kind,
    code,
    message,
    retryable,
    mayHaveRun,
    ...(statusCode !== undefined && { statusCode }),
    ...(bodyPreview !== undefined && { bodyPreview }),
    ...(rpc !== undefined && { rpc }),
    ...(data !== undefined && { data }),
    cause: error,
  }
}

/** Only a transport of the host's own can fail like this. */
function unexpected(cause: unknown): McpErrorDetails {
  const message = cause instanceof Error ? cause.message : 'an unknown failure'
  return { kind: 'start', code: 'internal', message, cause }
}
