import type { IncomingHttpHeaders } from 'node:http'

/** A request that is not on the way of tool calls: read whole, at most 64 KiB. */
export interface PlainRequest {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Who it comes from, proxies that are believed taken into account. */
  ip: string
  body: string
}

export interface PlainResponse {
  status: number
  headers: Record<string, string | string[]>
  body: string
}
