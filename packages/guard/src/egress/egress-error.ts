import { AppError, isAppError } from '@dataagent/schema/base'
import type { AddressClass } from './address-rules.ts'

// Every message names the host alone. Paths, queries, userinfo and header values never get in here,
// nor into `cause`.

const classNames: Record<AddressClass, string> = {
  public: 'a public address',
  unspecified: 'an unspecified address',
  loopback: 'a loopback address',
  private: 'a private address',
  link_local: 'a link-local address',
  multicast: 'a multicast address',
  translated: 'an address that stands for another one',
  reserved: 'a reserved address',
  invalid: 'no valid address',
}

/** The address of `host` is of a class that the policy does not let out. */
export function addressDenied(host: string, found: AddressClass, setting: string): AppError {
  const reason = `${host} is ${classNames[found]}, and only public addresses may be reached`
  return denied(host, `${reason}. Ask an administrator to allow it (setting ${setting}).`)
}

/** A refusal that the policy or a fixed rule makes before anything is sent. */
export function denied(host: string, message: string): AppError {
  return new AppError('egress_denied', message, { data: { host } })
}

export function invalidRequest(message: string): AppError {
  return new AppError('invalid_request', message)
}

export function timedOut(host: string, what: string, cause?: unknown): AppError {
  const message = `${host} ${what}. Try again later, or allow the call more time.`
  return new AppError('timeout', message, { data: { host }, cause })
}

export function tooLarge(host: string, limit: number): AppError {
  const message = `${host} sent more than the ${limit} bytes this call may read. Ask for less, or raise the limit.`
  return new AppError('too_large', message, { data: { host, limit } })
}

export function upstreamFailed(host: string, what: string, cause?: unknown): AppError {
  return new AppError('upstream_failed', `${host} ${what}.`, { data: { host }, cause })
}

export function cancelled(host: string, cause?: unknown): AppError {
  return new AppError('cancelled', `The request to ${host} was cancelled.`, {
    data: { host },
    cause,
  })
}

/** Whatever the HTTP client threw or reported, as one of ours. */
export function toEgressError(host: string, error: unknown): AppError {
  if (isAppError(error)) return error
  const { code, message } = describe(error)
  const cause = Object.assign(new Error(message), code === undefined ? {} : { code })
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return timedOut(host, 'could not be reached in time', cause)
    case 'UND_ERR_HEADERS_TIMEOUT':
      return timedOut(host, 'did not begin to answer in time', cause)
    case 'UND_ERR_BODY_TIMEOUT':
      return timedOut(host, 'stopped sending in the middle of its answer', cause)
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new AppError('too_large', `${host} sent more headers than may be read.`, {
        data: { host },
        cause,
      })
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return cancelled(host, cause)
    default:
      return upstreamFailed(host, reasons[code ?? ''] ?? 'failed to answer', cause)
  }
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'cut the connection',
  EPIPE: 'cut the connection',
  UND_ERR_SOCKET: 'cut the connection',
  ENOTFOUND: 'is not a known host name',
  EAI_AGAIN: 'could not be looked up: the name server did not answer',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS: is its address http, not https',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS: is its address http, not https',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody trusted has signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that nobody trusted has signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate that nobody trusted has signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
}

/** Only code and message: client errors carry sockets, URLs and raw bytes in further fields. */
function describe(error: unknown): { code: string | undefined; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: 'unknown failure' }
  const inner = error instanceof AggregateError ? error.errors[0] : undefined
  const code = (error as NodeJS.ErrnoException).code ?? (inner as NodeJS.ErrnoException)?.code
  return { code, message: error.message === '' ? (code ?? error.name) : error.message }
}
