import type { AnswerFlow, AnswerHead, Egress } from '@dataagent/guard'
import type { Authorizer } from '../../auth/contract.ts'
import type { McpError } from '../../errors.ts'
import type { Confidences } from '../shared/confidences.ts'
import { Asking } from './asking.ts'
import { confidencesInHeaders, confidencesInUrl } from './confidences.ts'
import { type Headers, mergeHeaders } from './headers.ts'
import { toUnsentError } from './http-error.ts'
import type { Refusal } from './refusal.ts'

/** One HTTP request to a server, however often it has to be sent. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Of the protocol: nothing overrides them. */
  own?: Headers | undefined
  headers?: Headers | undefined
  body?: string | undefined
  /** For what the authorizer does meanwhile; the request itself is ended by `stop`. */
  signal?: AbortSignal | undefined
  /** Leaves the authorizer alone when the server refuses. */
  isFarewell?: boolean
}

/** Takes the answer. None of these may throw. */
export interface AnswerReader {
  /** A 2xx answer begins; then data, and `end` or `fail`. */
  begin(head: AnswerHead, flow: AnswerFlow): void
  data(chunk: Buffer): void
  end(): void
  /** Another answer than 2xx, with nothing left to try. Nothing follows. */
  refuse(refusal: Refusal): void
  /** No answer, or not the whole of it. Nothing follows. */
  fail(error: McpError): void
}

export interface RunningRequest {
  /** Whether the server may have got the request. */
  readonly sent: boolean
  /** Ends it; the reader hears nothing more. */
  stop(): void
}

/** Requests to one address that have their headers in common. */
export interface Lane {
  /** The reader may hear of a failure before this returns. */
  ask(request: HttpRequest, reader: AnswerReader): RunningRequest
}

export interface LaneOptions {
  url: string | URL
  /** As configured: every request carries them. */
  headers: Headers
  egress: Egress
  proxy: string | undefined
  authorizer: Authorizer | undefined
  /** Learns what the address and the headers hold. */
  confidences: Confidences
}

/**
 * Makes a lane. `own` are headers of the protocol, which win over all others. Throws an McpError.
 */
export function createLane(options: LaneOptions, own: Headers): Lane {
  const { url, egress, proxy, authorizer } = options
  try {
    const headers = mergeHeaders(options.headers, own)
    const route = egress.createRoute(url, { headers, proxy })
    const place = { route, own, authorizer, ...toPlace(options) }
    return {
      ask(request, reader) {
        const asking = new Asking(place, request, reader)
        asking.start()
        return asking
      },
    }
  } catch (error) {
    throw toUnsentError(error)
  }
}

function toPlace({ url: given, headers, confidences }: LaneOptions) {
  const url = new URL(given)
  confidences.add([...confidencesInHeaders(headers), ...confidencesInUrl(url)])
  return { url, confidences }
}
