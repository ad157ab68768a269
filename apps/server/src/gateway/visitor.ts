import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { OriginAsked } from '../deps/index.ts'

/** Headers of proxies count where they come from one that is believed. */
export function createVisitors(trustedProxies: readonly string[]) {
  const trust = proxyAddress.compile([...trustedProxies])
  const hasProxies = trustedProxies.length > 0

  function hostOf(request: IncomingMessage): string {
    const { host = '', 'x-forwarded-host': forwarded } = request.headers
    const isBelieved = hasProxies && trust(request.socket.remoteAddress ?? '', 0)
    const sent = isBelieved && typeof forwarded === 'string' ? forwarded : host
    return sent.split(',').at(-1)?.trim() ?? ''
  }

  return {
    ipOf: (request: IncomingMessage): string =>
      hasProxies ? proxyAddress(request, trust) : (request.socket.remoteAddress ?? ''),
    /** As the check of origins wants to see a request that no framework has looked at. */
    toAsked(request: IncomingMessage): OriginAsked {
      const { headers, rawHeaders, url = '/' } = request
      return { url, headers, host: hostOf(request), raw: { rawHeaders } }
    },
  }
}

export function toCookies(header = ''): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !Object.hasOwn(cookies, name)) cookies[name] = pair.slice(at + 1).trim()
  }
  return cookies
}
