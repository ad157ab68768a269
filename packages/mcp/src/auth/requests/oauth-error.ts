import { type ErrorCode, isAppError } from '@dataagent/schema/base'
import { isMcpError, McpError, type McpErrorKind } from '../../errors.ts'

/**
 * The error codes that may be repeated. All other text of an authorization server is kept out of
 * errors: it could be an echo of the secrets it was sent.
 */
const knownCodes = new Set([
  'access_denied',
  'invalid_client',
  'invalid_client_metadata',
  'invalid_grant',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
])

/** The error code that an authorization server answered with, if it is a known one. */
export function toKnownCode(code: unknown): string | undefined {
  return typeof code === 'string' && knownCodes.has(code) ? code : undefined
}

/** The known code of the error that the SDK throws for a refused token request. */
export function refusalCode(error: unknown): string | undefined {
  const isOAuthError = error instanceof Error && error.name === 'OAuthError'
  return isOAuthError ? toKnownCode((error as { code?: unknown }).code) : undefined
}

const kinds: Partial<Record<ErrorCode, McpErrorKind>> = {
  timeout: 'timeout',
  too_large: 'too_large',
  cancelled: 'closed',
  upstream_failed: 'network',
}

/**
 * What a request to an authorization server failed with, as an error that may be shown: the SDK
 * puts whole answers into its messages, so only errors of our own are kept as cause. Retryable,
 * unless the way there is forbidden.
 */
export function toOAuthError(error: unknown, host: string): McpError {
  if (isMcpError(error)) return error
  if (isAppError(error, 'egress_denied')) {
    const { code, message } = error
    return new McpError({ kind: 'config', code, message: `mcp: ${message}`, cause: error })
  }
  const own = isAppError(error) ? error : undefined
  const code = refusalCode(error)
  const reason = own?.message ?? (code ? `it answered ${code}` : 'its answer cannot be used')
  return new McpError({
    kind: own ? (kinds[own.code] ?? 'unavailable') : 'unavailable',
    code: 'unavailable',
    message: `mcp: the authorization server ${host} could not be used: ${reason}`,
    retryable: true,
    data: { host, ...(code !== undefined && { error: code }) },
    cause: own,
  })
}

/** As `toOAuthError`, for a client that asks for itself: it is refused for good. */
export function toGrantError(error: unknown, host: string): McpError {
  const code = refusalCode(error)
  if (code === undefined || code === 'server_error' || code === 'temporarily_unavailable') {
    return toOAuthError(error, host)
  }
  return configError(`${host} gives this client no token: ${code}`, { host, error: code })
}

/** Something that is needed is not there just now. */
export function unavailableError(message: string): McpError {
  return new McpError({
    kind: 'unavailable',
    code: 'unavailable',
    message: `mcp: ${message}`,
    retryable: true,
  })
}

/** An authorization server or resource server that does not do what the specification demands. */
export function unfitError(message: string, data: Record<string, unknown>): McpError {
  return new McpError({
    kind: 'protocol',
    code: 'upstream_failed',
    message: `mcp: ${message}`,
    data,
  })
}

/** What only a change of the configuration can mend. */
export function configError(message: string, data?: Record<string, unknown>): McpError {
  const code = 'config_invalid'
  return new McpError({ kind: 'config', code, message: `mcp: ${message}`, ...(data && { data }) })
}

/** Why the answer that a person brought back from signing in is of no use. */
export type SignInFault = 'state' | 'expired' | 'issuer' | 'refused' | 'code'

/** A sign-in that failed. It takes another one, from the beginning. */
export function signInFailed(reason: SignInFault, message: string, code?: string): McpError {
  return new McpError({
    kind: 'sign_in',
    code: 'unauthenticated',
    message: `mcp: ${message}`,
    data: { reason, ...(code !== undefined && { error: code }) },
  })
}

/** A refusal that no renewal mends. */
export function refusedError(status: 401 | 403, why: string): McpError {
  return new McpError({
    kind: 'http',
    code: status === 401 ? 'unauthenticated' : 'forbidden',
    message: `mcp: http ${status}: ${why}`,
    statusCode: status,
  })
}
