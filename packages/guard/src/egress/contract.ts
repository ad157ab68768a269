import type { Readable } from 'node:stream'
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
  /** Cuts what is under way (`cancelled`) and closes every connection. */
  close(): Promise<void>
}
