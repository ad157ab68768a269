import type { Readable } from 'node:stream'
import type { AppError } from '@dataagent/schema/base'
import type { Dispatcher } from 'undici'
import type { CallScope } from './call-scope.ts'
import { findDecoder } from './decoder.ts'
import { toEgressError, tooLarge, upstreamFailed } from './egress-error.ts'
import { createResponseBody, type ResponseBody } from './response-body.ts'
import type { Upload } from './upload.ts'

/** Headers of an answer: names in lower case, a list where a header came more than once. */
export type ResponseHeaders = Record<string, string | string[] | undefined>

export interface ExchangeOptions {
  dispatcher: Dispatcher
  scope: CallScope
  host: string
  origin: string
  path: string
  method: string
  headers: Record<string, string | string[]>
  body: Upload | undefined
  headersTimeoutMs: number
  idleTimeoutMs: number
  maxResponseBytes: number
}

export interface Exchange {
  status: number
  statusText: string
  headers: ResponseHeaders
  body: Readable
}

/**
 * One request and its answer on one connection, without redirects. Resolves when the headers are
 * there.
 */
export function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { dispatcher, scope, host, method } = options

  return new Promise((resolve, reject) => {
    let failure = scope.failure
    let controller: Dispatcher.DispatchController | undefined
    let body: ResponseBody | undefined
    if (failure !== undefined) return reject(failure)
    scope.onFailure = fail

    try {
      dispatcher.dispatch(toDispatchOptions(options), {
        onRequestStart(started) {
          controller = started
          if (failure !== undefined) started.abort(failure)
        },
        onResponseStart(wire, status, headers, statusText = '') {
          if (status < 200) return
          const decoder = findDecoder(single(headers['content-encoding']))
          const announced = method === 'HEAD' ? 0 : Number(single(headers['content-length']) ?? 0)
          if (decoder === null)
            return fail(upstreamFailed(host, 'used an unknown content encoding'))
          if (announced > options.maxResponseBytes)
            return fail(tooLarge(host, options.maxResponseBytes))
          body = createResponseBody({ host, wire, maxBytes: options.maxResponseBytes, decoder })
          resolve({ status, statusText, headers, body: body.stream })
        },
        onResponseData: (_wire, chunk) => body?.write(chunk),
        onResponseEnd: () => body?.end(),
        onResponseError: (_wire, error) => fail(toEgressError(host, error)),
      })
    } catch (error) {
      fail(toEgressError(host, error))
    }

    function fail(error: AppError): void {
      if (failure !== undefined) return
      failure = error
      controller?.abort(error)
      if (body === undefined) reject(error)
      else body.fail(error)
    }
  })
}

function toDispatchOptions(options: ExchangeOptions): Dispatcher.DispatchOptions {
  return {
    origin: options.origin,
    path: options.path,
    method: options.method,
    headers: options.headers,
    body: options.body ?? null,
    headersTimeout: toTimeout(options.headersTimeoutMs),
    bodyTimeout: toTimeout(options.idleTimeoutMs),
  }
}

/** The HTTP client takes 0 for none. */
function toTimeout(ms: number): number {
  return Number.isFinite(ms) ? ms : 0
}

/** A header that came more than once, as one. */
export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
