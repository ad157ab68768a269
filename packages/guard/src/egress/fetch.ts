import type { Readable } from 'node:stream'
import type { Egress, EgressRequest, EgressResponse } from './contract.ts'
import type { ResponseHeaders } from './exchange.ts'
import { entriesOf, type HeadersInput } from './request-headers.ts'
import type { RequestBody } from './upload.ts'

/** Statuses whose answer has no body (Fetch standard, "null body status"). */
const bodyless = new Set([204, 205, 304])

/** `request` in the shape of the global fetch. */
export function toFetch(request: Egress['request'], defaults: EgressRequest = {}): typeof fetch {
  return async (input, init = {}) => {
    const given = input instanceof Request ? input : undefined
    const signal = toSignal([init.signal, given?.signal, defaults.signal])
    const { body, contentType } = toBody(init.body ?? given?.body)
    const own = toHeaders((init.headers ?? given?.headers) as HeadersInput | undefined)
    const headers = joinHeaders(toHeaders(defaults.headers), own, contentType)
    const method = init.method ?? given?.method ?? defaults.method
    const redirect = toStrictest([init.redirect ?? given?.redirect, defaults.redirect])
    try {
      const call = { ...defaults, method, redirect, headers, body, signal }
      return toFetchResponse(await request(given?.url ?? (input as string | URL), call), signal)
    } catch (error) {
      throw asFetchError(error, signal)
    }
  }
}

function toSignal(signals: (AbortSignal | null | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal instanceof AbortSignal)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/** A Request always says `follow`, whether or not its maker meant it. */
function toStrictest(modes: EgressRequest['redirect'][]): EgressRequest['redirect'] {
  const fromStrict = ['error', 'manual', 'follow'] as const
  return fromStrict.find((mode) => modes.includes(mode))
}

/** What has no value is left out. */
function toHeaders(input: HeadersInput | undefined): Headers {
  const headers = new Headers()
  for (const [name, value = []] of entriesOf(input)) {
    for (const one of [value].flat()) headers.append(name, one)
  }
  return headers
}

function joinHeaders(standing: Headers, own: Headers, contentType: string | null): Headers {
  const headers = new Headers(standing)
  for (const [name, value] of own) headers.set(name, value)
  if (contentType !== null && !headers.has('content-type')) headers.set('content-type', contentType)
  return headers
}

function toBody(body: RequestInit['body']): {
  body: RequestBody | undefined
  contentType: string | null
} {
  if (body === null || body === undefined) return { body: undefined, contentType: null }
  // Plain bytes and text can be sent again after a redirect; of the rest Response makes a stream
  // and a content type.
  if (body instanceof Uint8Array) return { body, contentType: null }
  const carrier = new Response(body as ConstructorParameters<typeof Response>[0])
  const contentType = carrier.headers.get('content-type')
  if (typeof body === 'string') return { body, contentType }
  if (body instanceof URLSearchParams) return { body: body.toString(), contentType }
  return { body: carrier.body ?? undefined, contentType }
}

function toFetchResponse(answer: EgressResponse, signal: AbortSignal | undefined): Response {
  const { status, statusText, url, redirected } = answer
  const hasBody = !bodyless.has(status)
  if (!hasBody) answer.body.resume()
  const body = hasBody ? toWebStream(answer.body, signal) : null
  const response = new Response(body, { status, statusText, headers: toPairs(answer.headers) })
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
  })
}

function toWebStream(body: Readable, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  let onData: (chunk: Buffer) => void
  return new ReadableStream<Uint8Array>({
    start(controller) {
      onData = (chunk) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) body.pause()
      }
      body.on('data', onData)
      body.on('end', () => controller.close())
      body.on('error', (error) => controller.error(asFetchError(error, signal)))
      body.pause()
    },
    pull: () => void body.resume(),
    // A destroyed stream may still give what it has buffered.
    cancel: () => void body.off('data', onData).destroy(),
  })
}

function toPairs(headers: ResponseHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
}

/** What fetch would reject with: the caller's own reason when the caller ended the call. */
function asFetchError(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? signal.reason : error
}
