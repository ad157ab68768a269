import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { waitFor } from './wait-for.ts'

/** A span as it arrived, with plain attributes. */
export interface ReceivedSpan {
  trace_id: string
  span_id: string
  parent_span_id: string | undefined
  tracestate: string | undefined
  name: string
  kind: number
  /** Nanoseconds since 1970. */
  start: bigint
  end: bigint
  attributes: Record<string, unknown>
  events: { name: string; time: bigint; attributes: Record<string, unknown> }[]
  status: { code?: number; message?: string }
  resource: Record<string, unknown>
}

export interface OtlpRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface OtlpAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
  /** Leaves the request without an answer. */
  hangs?: boolean
}

/** A real receiver of OTLP/HTTP with JSON, for tests. */
export interface OtlpReceiver extends AsyncDisposable {
  url: string
  requests: OtlpRequest[]
  /** Of requests that were answered with 200. */
  spans: ReceivedSpan[]
  /** How the requests from now on are answered; undefined is 200. */
  answer: ((request: OtlpRequest) => OtlpAnswer | undefined) | undefined
  waitForSpans(count: number): Promise<ReceivedSpan[]>
}

/** Starts a receiver on a free port of this machine. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer(async (request, response) => {
    const received = await read(request)
    const { status, headers, body, hangs } = receiver.answer?.(received) ?? { status: 200 }
    receiver.requests.push(received)
    if (hangs) return
    if (status === 200) receiver.spans.push(...toSpans(received.body))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body ?? '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    spans: [],
    answer: undefined,
    async waitForSpans(count) {
      await waitFor(() => receiver.spans.length >= count, { what: `${count} spans arrived` })
      return receiver.spans
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

async function read(request: IncomingMessage): Promise<OtlpRequest> {
  return { path: request.url ?? '', headers: request.headers, body: await text(request) }
}

// biome-ignore lint/suspicious/noExplicitAny: what arrives is looked at by the tests.
type Wire = any

function toSpans(body: string): ReceivedSpan[] {
  const { resourceSpans }: Wire = JSON.parse(body)
  return resourceSpans.flatMap(({ resource, scopeSpans }: Wire) =>
    scopeSpans.flatMap(({ spans }: Wire) =>
      spans.map((span: Wire) => toSpan(span, fromKeyValues(resource.attributes))),
    ),
  )
}

function toSpan(span: Wire, resource: Record<string, unknown>): ReceivedSpan {
  return {
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    tracestate: span.traceState,
    name: span.name,
    kind: span.kind,
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
    attributes: fromKeyValues(span.attributes),
    events: span.events.map(({ name, timeUnixNano, attributes }: Wire) => ({
      name,
      time: BigInt(timeUnixNano),
      attributes: fromKeyValues(attributes),
    })),
    status: span.status,
    resource,
  }
}

function fromKeyValues(keyValues: Wire[]): Record<string, unknown> {
  return Object.fromEntries(keyValues.map(({ key, value }) => [key, fromAnyValue(value)]))
}

function fromAnyValue(value: Wire): unknown {
  if ('intValue' in value) return Number(value.intValue)
  if ('arrayValue' in value) return value.arrayValue.values.map(fromAnyValue)
  return value.stringValue ?? value.boolValue ?? value.doubleValue
}
