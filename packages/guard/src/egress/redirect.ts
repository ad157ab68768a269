import { Readable } from 'node:stream'
import { denied, upstreamFailed } from './egress-error.ts'
import type { Exchange } from './exchange.ts'
import { toDestination, toHost } from './policy.ts'
import { type RequestHeaders, withoutBodyHeaders, withoutCredentials } from './request-headers.ts'
import type { Upload } from './upload.ts'

/** What is sent to one origin on the way. */
export interface Hop {
  url: URL
  method: string
  headers: RequestHeaders
  body: Upload | undefined
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Where an answer sends the caller on to: a Location, or `undefined` when it is no redirect. */
export function findLocation({ status, headers }: Exchange): string | undefined {
  const { location } = headers
  return redirects.has(status) && typeof location === 'string' ? location : undefined
}

/**
 * The next hop, as the Fetch standard makes it, but with all possible credentials dropped across
 * origins.
 */
export function toNextHop(hop: Hop, status: number, location: string): Hop {
  const host = toHost(toDestination(hop.url))
  const url = URL.parse(location, hop.url.href)
  if (url === null) throw upstreamFailed(host, 'redirects to an address that is not a valid URL')
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw denied(host, `${host} redirects from https to http, which would expose the request.`)
  }
  const rewritten = withMethodOf(status, hop)
  if (rewritten.body instanceof Readable) {
    throw upstreamFailed(host, 'redirects a request whose body can be sent only once')
  }
  const headers =
    url.origin === hop.url.origin ? rewritten.headers : withoutCredentials(rewritten.headers)
  return { ...rewritten, url, headers }
}

function withMethodOf(status: number, hop: Hop): Hop {
  const toGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST')
  if (!toGet) return hop
  return { ...hop, method: 'GET', headers: withoutBodyHeaders(hop.headers), body: undefined }
}
