import type { McpError, McpErrorKind } from '../errors.ts'

/** What a failed request says of the connection that it was sent over. */
export type Finding =
  /** The server has answered. */
  | 'alive'
  /** It proves nothing. */
  | 'unknown'
  /** Worth asking the server at once. */
  | 'doubt'
  | Loss

/** How a connection ends. */
export type Loss = 'lost' | 'session_lost' | 'sign_in'

/**
 * What a failed call says. An HTTP server has no socket to lose: a connection that was never made
 * (refused, no such host) means that it has gone; one that broke in the middle may have been a
 * proxy's whim, so the server is asked. A 5xx may be of one tool, and a silent call of a slow one:
 * neither is a loss, and neither is a sign of life, so that the next health probe decides.
 */
const callFindings: Record<McpErrorKind, Finding | ((error: McpError) => Finding)> = {
  rpc: 'alive',
  too_large: 'alive',
  http: judgeStatus,
  network: (error) => (error.mayHaveRun ? 'doubt' : 'lost'),
  closed: 'lost',
  start: 'lost',
  session_lost: 'session_lost',
  // One tool may want more rights than the others: only the probe knows whether all is refused.
  sign_in: 'doubt',
  protocol: 'unknown',
  timeout: 'unknown',
  cancelled: 'unknown',
  unavailable: 'unknown',
  not_found: 'unknown',
  conflict: 'unknown',
  config: 'unknown',
}

/** What the failure of a call says of the connection. */
export function judgeCall(error: McpError): Finding {
  const finding = callFindings[error.kind]
  return typeof finding === 'function' ? finding(error) : finding
}

/** 400 and 404 are how servers say that they have forgotten a session, 401 and 403 a credential. */
function judgeStatus({ statusCode = 0 }: McpError): Finding {
  if (statusCode >= 500 || statusCode === 408) return 'unknown'
  return [400, 401, 403, 404].includes(statusCode) ? 'doubt' : 'alive'
}

/**
 * What the failure of a health probe says. Silence counts only when nothing else is under way: many
 * a server does one thing at a time.
 */
export function judgeProbe(error: McpError, { isBusy }: { isBusy: boolean }): Finding {
  switch (error.kind) {
    case 'rpc':
    case 'too_large':
      return 'alive'
    case 'cancelled':
      return 'unknown'
    case 'timeout':
      return isBusy ? 'unknown' : 'lost'
    case 'session_lost':
    case 'sign_in':
      return error.kind
    default:
      return error.statusCode === 429 ? 'alive' : 'lost'
  }
}

/**
 * What a failed attempt to open says. `refused` is what a person must change: a configuration, a
 * credential, an address that is not allowed. All else is tried again, even a command that is not
 * there and a 404: a package under upgrade, a folder not yet mounted and a proxy whose server is
 * being replaced look just like that.
 */
export function judgeOpening(error: McpError): 'lost' | 'sign_in' | 'refused' {
  if (error.kind === 'sign_in') return 'sign_in'
  if (error.kind === 'config' || error.code === 'egress_denied') return 'refused'
  return error.kind === 'http' && isFinalStatus(error.statusCode) ? 'refused' : 'lost'
}

function isFinalStatus(statusCode = 0): boolean {
  const passing = [404, 408, 409, 421, 425, 429]
  return statusCode >= 400 && statusCode < 500 && !passing.includes(statusCode)
}
