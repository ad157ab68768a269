import { closedError, McpError, type McpErrorKind, timeoutError } from '../errors.ts'

/** A failure of each kind that a transport may report, as it would look. */
export function toFailure(kind: McpErrorKind, details: Partial<McpError> = {}): McpError {
  if (kind === 'closed') return closedError('the process has ended', true)
  if (kind === 'timeout') return timeoutError('"ping"', 30_000, true)
  const { statusCode, mayHaveRun = false, data, code = 'upstream_failed', rpc } = details
  return new McpError({
    kind,
    code,
    message: `mcp: ${kind}`,
    retryable: kind === 'network' || kind === 'session_lost',
    mayHaveRun,
    ...(statusCode !== undefined && { statusCode }),
    ...(rpc !== undefined && { rpc }),
    ...(data !== undefined && { data }),
  })
}

/** An answer that fails. */
export function failing(error: McpError): () => never {
  return () => {
    throw error
  }
}
