import { McpError, type McpErrorKind } from '@dataagent/mcp'
import type { ErrorCode } from '@dataagent/schema'

/** Nothing was sent; `retry_after_ms` says when it may help to ask again. */
export function unavailableError(
  message: string,
  { retryAfterMs, retryable = true, ...data }: UnavailableData,
): McpError {
  return new McpError({
    kind: 'unavailable',
    code: 'unavailable',
    message,
    retryable,
    data: { ...data, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) },
  })
}

interface UnavailableData {
  retryAfterMs?: number | undefined
  retryable?: boolean | undefined
  [key: string]: unknown
}

export interface Quota {
  /** The setting to raise. */
  setting: string
  limit: number
}

/** A limit of ours. */
export function quotaError(quota: Quota, message = toQuotaWords(quota)): McpError {
  const data = { ...quota }
  return new McpError({ kind: 'unavailable', code: 'quota_exceeded', message, data })
}

export function toQuotaWords({ setting, limit }: Quota): string {
  const whose = setting === 'perUser' ? 'You have' : 'This process has'
  return `${whose} ${limit} servers connected, which is the limit (${setting}).`
}

/** Someone must act first: give a credential, sign in, change the configuration. */
export function refusedError(
  kind: McpErrorKind,
  code: ErrorCode,
  message: string,
  data: Record<string, unknown>,
): McpError {
  return new McpError({ kind, code, message, data })
}

export function closedError(message: string, mayHaveRun: boolean): McpError {
  const code = 'unavailable'
  return new McpError({ kind: 'closed', code, message, retryable: true, mayHaveRun })
}

/** This end was closed before anything was sent: to try again does not help. */
export function closedHereError(message: string): McpError {
  return new McpError({ kind: 'closed', code: 'unavailable', message })
}

export function cancelledError(signal: AbortSignal | undefined, mayHaveRun: boolean): McpError {
  const message = 'the call was cancelled'
  const cause = signal?.reason
  return new McpError({ kind: 'cancelled', code: 'cancelled', message, mayHaveRun, cause })
}

/** The server was reached, but what it offers is not to be had yet. */
export function untakenError(name: string, cause: unknown): McpError {
  const told = cause instanceof Error ? cause.message : String(cause)
  const message = `mcp: the tools of server "${name}" could not be taken over: ${told}`
  return new McpError({ kind: 'unavailable', code: 'unavailable', message, retryable: true, cause })
}

export function timeoutError(message: string, mayHaveRun: boolean): McpError {
  return new McpError({ kind: 'timeout', code: 'timeout', message, retryable: true, mayHaveRun })
}

/** The same failure with how often it was tried; in the words of a retried call where it was. */
export function withAttempts(error: McpError, what: string, attempts: number): McpError {
  const { kind, code, retryable, mayHaveRun, statusCode, bodyPreview, rpc } = error
  const retries = attempts - 1
  const told = error.message.replace(/^mcp: /, '')
  const message =
    retries > 0 ? `mcp: call ${what} failed after ${retries} retries: ${told}` : error.message
  return new McpError({
    ...{ kind, code, message, retryable, mayHaveRun, statusCode, bodyPreview, rpc },
    data: { ...error.data, attempts },
    cause: error,
  })
}
