import type { Dispatcher } from 'undici'
import type { EgressRoute, RouteCall } from './contract.ts'
import { toDestination, toHost } from './policy.ts'
import { type RequestHeaders, withHeaders } from './request-headers.ts'
import { RouteExchange } from './route-exchange.ts'

export interface ToRouteOptions {
  /** Checked. */
  url: URL
  /** Checked. */
  headers: RequestHeaders
  /** The connections to use now. Throws when there are none any more. */
  toDispatcher(): Dispatcher
}

/** A route to `url`. */
export function toRoute({ url, headers: standing, toDispatcher }: ToRouteOptions): EgressRoute {
  const { origin } = url
  const ownPath = url.pathname + url.search
  const host = toHost(toDestination(url))

  return {
    send(call, sink) {
      const dispatcher = toDispatcher()
      return new RouteExchange({ dispatcher, host, sink, request: toRequest(call) })
    },
  }

  function toRequest({ method, headers, body, path = ownPath }: RouteCall) {
    return {
      origin,
      path,
      method,
      headers: headers === undefined ? standing : withHeaders(standing, headers),
      body: body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
  }
}
