import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../protocol/index.ts'

/** One way in: a URL and what holds there. */
export interface Endpoint {
  kind: 'streamable' | 'sse' | 'messages' | 'seed'
  /** Its path, which its protected-resource metadata is found under. */
  path: string
  /** Set for an endpoint of one group. */
  group_id?: string | undefined
}

/** A request on its way through an entry. */
export interface Visit {
  request: IncomingMessage
  response: ServerResponse
  endpoint: Endpoint
  query: URLSearchParams
  /** Aborts when the client has gone before the end, or what let it in was taken back. */
  leaving: AbortController
}

export type Admission =
  | { status: 'ok'; caller: Caller }
  /** Nothing was shown, or what was shown does not hold (any more). */
  | { status: 'missing' | 'invalid' }

/** Who asks, by what the request shows. Rejects with `store_unavailable`. */
export type Admit = (credential: string | undefined, endpoint: Endpoint) => Promise<Admission>
