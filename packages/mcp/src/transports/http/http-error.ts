import { type AppError, isAppError } from '@dataagent/schema/base'
import { closedError, isMcpError, McpError, protocolError, type RpcFault } from '../../errors.ts'
import type { Refusal } from './refusal.ts'

const previewCharacters = 512

/** The error of an answer that is not 2xx; `rpc` where its body is a JSON-RPC error. */
export function toHttpError(refusal: Refusal, rpc?: RpcFault): McpError {
  const { status } = refusal
  const bodyPreview = toPreview(refusal.body)
  return new McpError({
    kind: 'http',
    code: status === 429 ? 'rate_limited' : 'upstream_failed',
    message: `mcp: http ${status}: ${bodyPreview}${toRedirectHint(refusal)}`,
    retryable: status >= 500 || status === 429,
    mayHaveRun: status >= 500 || (rpc !== undefined && status !== 429),
    statusCode: status,
    bodyPreview,
    ...(rpc !== undefined && { rpc }),
  })
}

/** The server has forgotten our session: it has to be begun anew. */
export function toSessionLost(refusal: Refusal, mayHaveRun: boolean): McpError {
  return new McpError({
    kind: 'session_lost',
    code: 'unavailable',
    message: `mcp: the server no longer knows our session (http ${refusal.status})`,
    retryable: true,
    mayHaveRun,
    statusCode: refusal.status,
    bodyPreview: toPreview(refusal.body),
  })
}

/**
 * What the egress failed with, as ours. `sent`: the server may have got the request. Messages of
 * the egress name the host alone.
 */
export function toNetworkError(error: AppError, sent: boolean): McpError {
  const message = `mcp: ${error.message}`
  const common = { code: error.code, message, cause: error, mayHaveRun: sent }
  switch (error.code) {
    case 'timeout':
      return new McpError({ ...common, kind: 'timeout', retryable: true })
    case 'cancelled':
      return closedError('the way out was closed', sent, error)
    case 'too_large':
      return new McpError({ ...common, kind: 'too_large' })
    case 'upstream_failed':
      if (sent && isNonsense(error)) return protocolError(error.message, error)
      return new McpError({ ...common, kind: 'network', retryable: true })
    default:
      return new McpError({ ...common, kind: 'config', mayHaveRun: false })
  }
}

/** Whatever was thrown before anything was sent. */
export function toUnsentError(error: unknown): McpError {
  if (isMcpError(error)) return error
  if (isAppError(error)) return toNetworkError(error, false)
  const message = 'mcp: the request could not be made'
  return new McpError({ kind: 'config', code: 'internal', message, cause: error })
}

/** A connection that broke off, or an answer that ended, before the answer was whole. */
export function cutOffError(what: string, cause?: unknown): McpError {
  return new McpError({
    kind: 'network',
    code: 'upstream_failed',
    message: `mcp: ${what}`,
    retryable: true,
    mayHaveRun: true,
    cause,
  })
}

function toPreview(body: Buffer): string {
  const text = body.toString()
  // No character takes more than two units; a pair must not be cut in half.
  const characters = Array.from(text.slice(0, 2 * previewCharacters + 2))
  if (characters.length <= previewCharacters) return text
  return `${characters.slice(0, previewCharacters).join('')}...`
}

/** The origin alone: the rest of the address may hold a secret. */
function toRedirectHint({ location }: Refusal): string {
  if (location === undefined) return ''
  return ` (a redirect to ${location.origin}, which is not followed)`
}

/**
 * The other end does not speak HTTP, or encodes its body in a way that cannot be read: then the
 * egress gives the code of the reader that stumbled, or none at all.
 */
function isNonsense({ cause }: AppError): boolean {
  if (cause === undefined) return true
  const { code } = cause as NodeJS.ErrnoException
  return code !== undefined && /^(HPE_|Z_|ERR_BROTLI|ERR_ZSTD|ZSTD_)/.test(code)
}
