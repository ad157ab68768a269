import type { PlainResponse } from './contract.ts'

type Headers = PlainResponse['headers']

/** An answer for programs, which nobody keeps. */
export function jsonResponse(status: number, body: unknown, headers: Headers = {}): PlainResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

/** `Retry-After` counts in whole seconds, and 0 would be no wait. */
export function retryAfter(ms: number): { 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) }
}

export function methodNotAllowed(allow: string): PlainResponse {
  return jsonResponse(405, { error: 'method_not_allowed' }, { allow })
}

/** For pages of any origin, which then send no cookies of ours. */
export function withCors(response: PlainResponse): PlainResponse {
  const headers = {
    ...response.headers,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'www-authenticate, retry-after',
  }
  return { ...response, headers }
}

/** What a browser asks before it lets a page of another origin send its request. */
export function preflight(methods: string): PlainResponse {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
    'access-control-max-age': '86400',
  }
  return withCors({ status: 204, headers, body: '' })
}
