import type { Readable } from 'node:stream'
import type { AppError } from '@dataagent/schema/base'
import type { Clock } from '../clock.ts'
import type { Lookup } from './connector.ts'
import type { ResponseHeaders } from './exchange.ts'
import type { EgressPolicy } from './policy.ts'
import type { HeadersInput } from './request-headers.ts'
import type { RequestBody } from './upload.ts'

/**
 * Limits of one call. Each has a default in `createEgress`; `Infinity` lifts it (a long-lived
 * stream keeps an idle time).
 */
export interface EgressLimits {
  /** For the whole call, redirects and reading the body included. */
  timeoutMs: number
  /** Until the headers of the answer are there. */
  headersTimeoutMs: number
  /** Between two pieces of the body. */
  idleTimeoutMs: number
  /** Of the body, on the wire and after decompression. */
  maxResponseBytes: number
  maxRedirects: number
}

export interface EgressOptions extends Partial<EgressLimits> {
  /** Where calls may go that bring no policy of their own. */
  policy: EgressPolicy
  /**
   * An http or https proxy for calls that name none of their own, with credentials in the URL where
   * it needs them.
   */
  proxy?: string | undefined
  /** Certificate authorities (PEM) to trust instead of the built-in ones. */
  ca?: readonly string[] | undefined
  /** What error messages call the setting that an administrator changes to allow an address. */
  allowSetting?: string
  userAgent?: string
  connectTimeoutMs?: number
  maxHeaderBytes?: number
  lookup?: Lookup
  clock?: Clock
}

export interface EgressRequest extends Partial<EgressLimits> {
  method?: string | undefined
  headers?: HeadersInput | undefined
  /**
   * A stream is sent as it comes and only once: such a request does not survive a 307 or 308
   * redirect.
   */
  body?: RequestBody | undefined
  signal?: AbortSignal | undefined
  policy?: EgressPolicy | undefined
  proxy?: string | undefined
  /**
   * `follow` (default); `manual`: the redirect is the answer; `error`: a redirect fails the call.
   */
  redirect?: 'follow' | 'manual' | 'error' | undefined
}

/**
 * An answer. Its body holds a connection: read it to the end or destroy it, else the call's
 * deadline does.
 */
export interface EgressResponse {
  status: number
  statusText: string
  headers: ResponseHeaders
  /** Where the answer came from, after redirects. */
  url: string
  redirected: boolean
  /** Decompressed. Fails with `too_large`, `timeout`, `cancelled` or `upstream_failed`. */
  body: Readable
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  json(): Promise<unknown>
}

/** What holds for all calls of a route. */
export type RouteOptions = Pick<EgressRequest, 'headers' | 'policy' | 'proxy'>

export interface RouteCall {
  method: string
  /** Besides those of the route, over which they win. */
  headers?: HeadersInput | undefined
  body?: string | Uint8Array | undefined
  /** Another path and query at the same origin. */
  path?: string | undefined
}

/** Takes an answer as it comes. None of these may throw. */
export interface AnswerSink {
  /** The headers are there. Data follows, and then `end` or `fail`. */
  begin(head: AnswerHead, flow: AnswerFlow): void
  /** A piece of the body, decompressed. */
  data(chunk: Buffer): void
  end(): void
  /**
   * It failed, at whatever stage; nothing follows. With `egress_denied`, `timeout` (no connection
   * in time), `too_large` (headers), `upstream_failed` or `cancelled` (the egress was closed).
   */
  fail(error: AppError): void
}

export interface AnswerHead {
  status: number
  headers: ResponseHeaders
}

/** Holds an answer back while its taker is busy. A piece or two may still come after `pause`. */
export interface AnswerFlow {
  pause(): void
  resume(): void
}

export interface RunningCall {
  /** Whether the request has been written, if only in part: the server may have acted on it. */
  readonly sent: boolean
  /** Ends it; the sink hears nothing more. May be called at any time, and more than once. */
  stop(): void
}

/**
 * One address that is asked many times. What can be checked once was checked when it was made. A
 * call has no limit of time or size but those its taker sets by `stop`, and a redirect is an
 * answer.
 */
export interface EgressRoute {
  /** Throws `invalid_request` for headers that cannot be sent, `cancelled` once closed. */
  send(call: RouteCall, sink: AnswerSink): RunningCall
}

/** The one way out of the process for HTTP. */
export interface Egress extends AsyncDisposable {
  /**
   * Sends a request; an answer of any status resolves. Throws `invalid_request`, `egress_denied`,
   * `timeout`, `too_large`, `upstream_failed` or `cancelled`.
   */
  request(url: string | URL, options?: EgressRequest): Promise<EgressResponse>
  /**
   * A function for libraries that take a `fetch`; `defaults` hold for each of its calls. It fails
   * as `request` does, save that a call ended by its own signal rejects with the signal's reason.
   */
  createFetch(defaults?: EgressRequest): typeof fetch
  /** Prepares many calls to one address. Throws `invalid_request` or `egress_denied`. */
  createRoute(url: string | URL, options?: RouteOptions): EgressRoute
  /** Cuts what is under way (`cancelled`) and closes every connection. */
  close(): Promise<void>
}
