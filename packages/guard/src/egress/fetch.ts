import type { Readable } from 'node:stream'
import type { Egress, EgressRequest, EgressResponse } from './contract.ts'
import type { RequestBody, ResponseHeaders } from './exchange.ts'

/** Statuses whose answer has no body (Fetch standard, "null body status"). */
const bodyless = new Set([204, 205, 304])

/** `request` in the shape of the global fetch. */
export function toFetch(request: Egress['request'], defaults: EgressRequest = {}): typeof fetch {
  return async (input, init = {}) => {
    const given = input instanceof Request ? input : undefined
    const signal = init.signal ?? given?.signal ?? defaults.signal
    const { body, contentType } = toBody(init.body ?? given?.body)
    const headers = toHeaders(defaults.headers, init.headers ?? given?.headers, contentType)
    const method = init.method ?? given?.method ?? defaults.method
    const redirect = init.redirect ?? given?.redirect ?? defaults.redirect
    try {
      const call = { ...defaults, method, redirect, headers, body, signal }
      return toFetchResponse(await request(given?.url ?? (input as string | URL), call), signal)
    } catch (error) {
      throw asFetchError(error, signal)
    }
  }
}

function toHeaders(
  standing: EgressRequest['headers'],
  given: RequestInit['headers'],
  contentType: string | null,
): Headers {
  const headers = new Headers(standing as RequestInit['headers'])
  for (const [name, value] of new Headers(given)) headers.set(name, value)
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
