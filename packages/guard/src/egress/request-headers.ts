import { acceptEncoding } from './decoder.ts'
import { invalidRequest } from './egress-error.ts'

/** Headers as callers may give them. */
export type HeadersInput =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>

/** Headers as they are sent: names in lower case. */
export type RequestHeaders = Record<string, string | string[]>

// What the connection itself decides. A Host of the caller's would also steer TLS away from the
// host that was checked.
const reserved = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

// What may follow a redirect to another origin. Everything else could be a credential.
const harmless = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'user-agent',
])

const token = /^[\w!#$%&'*+.^`|~-]+$/
const forbiddenInValue = /[^\t\x20-\x7e\x80-\xff]/

/** Checks and completes a caller's headers. A refusal names the header, never its value. */
export function toRequestHeaders(
  input: HeadersInput | undefined,
  userAgent: string,
): RequestHeaders {
  const standing = { accept: '*/*', 'user-agent': userAgent, 'accept-encoding': acceptEncoding }
  return withHeaders(standing, input)
}

/** `standing` with a caller's headers over them, checked. */
export function withHeaders(standing: RequestHeaders, input: HeadersInput | undefined) {
  const headers = { ...standing }
  for (const [name, value] of entriesOf(input)) {
    if (value === undefined) continue
    const key = name.toLowerCase()
    checkName(key)
    headers[key] = typeof value === 'string' ? checkValue(key, value) : checkValues(key, value)
  }
  return headers
}

/** The headers that may go along to another origin. */
export function withoutCredentials(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)))
}

/**
 * The headers of a request that has lost its body on the way (Fetch standard, "request-body-header
 * name").
 */
export function withoutBodyHeaders(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  )
}

/** The headers one by one, as they were given. */
export function entriesOf(input: HeadersInput | undefined) {
  if (input === undefined) return []
  return Symbol.iterator in input ? (input as Iterable<[string, string]>) : Object.entries(input)
}

function checkName(name: string): void {
  if (!token.test(name)) throw invalidRequest('A header name has characters that are not allowed.')
  if (reserved.has(name)) {
    throw invalidRequest(`The header ${name} cannot be set: the connection decides it.`)
  }
}

function checkValue(name: string, value: string): string {
  if (!forbiddenInValue.test(value)) return value
  throw invalidRequest(`The value of the header ${name} has characters that are not allowed.`)
}

function checkValues(name: string, values: readonly string[]): string[] {
  return values.map((value) => checkValue(name, value))
}
