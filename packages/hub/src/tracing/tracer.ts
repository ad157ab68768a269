import { type Clock, type Egress, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Attributes, Span, SpanOptions, Tracer } from './contract.ts'
import { createExporter, type DroppedSpans, type Exporter } from './exporter.ts'
import type { SpanEvent } from './otlp-json.ts'
import {
  createIdSource,
  createTraceIdSource,
  isChosen,
  type ParentContext,
  parseTraceContext,
  toTraceContext,
} from './trace-context.ts'

export interface TracerOptions {
  /** Where OTLP is taken over HTTP: a base address, or the whole one that ends in `/v1/traces`. */
  endpoint: string
  /** Such as Authorization. Never logged. */
  headers?: Record<string, string>
  egress: Egress
  serviceName: string
  serviceVersion?: string
  /** Further attributes of every span's resource, such as `deployment.environment.name`. */
  resource?: Attributes
  clock?: Clock
  /** Spans that wait at the most; beyond it the oldest are dropped. */
  maxQueue?: number
  maxBatch?: number
  everyMs?: number
  /** The share of the traces beginning here that is kept; those of others say so themselves. */
  sampleRatio?: number
  /** Told of spans that were given up, for a log line. */
  onDropped?: (dropped: DroppedSpans) => void
}

const maxEvents = 128
const noEvents: readonly SpanEvent[] = []
const flushMs = 10_000
const closeMs = 5_000

/** Makes spans and sends them as OTLP/HTTP with JSON. Throws `config_invalid` for the endpoint. */
export function createTracer(options: TracerOptions): Tracer {
  const { clock = systemClock, sampleRatio = 1 } = options
  const nextId = createIdSource()
  const nextTraceId = createTraceIdSource(clock, nextId)
  const exporter = createExporter({
    url: toTracesUrl(options.endpoint),
    headers: options.headers ?? {},
    egress: options.egress,
    resource: toResource(options),
    clock,
    maxQueue: options.maxQueue ?? 4_096,
    maxBatch: options.maxBatch ?? 512,
    everyMs: options.everyMs ?? 2_000,
    onDropped: options.onDropped ?? (() => undefined),
  })

  function start(name: string, spanOptions: SpanOptions = {}): Span {
    const parent = parseTraceContext(spanOptions.parent)
    const trace_id = parent?.trace_id ?? nextTraceId()
    const own: ParentContext = {
      trace_id,
      span_id: nextId(16),
      isSampled: parent ? parent.isSampled : isChosen(trace_id, sampleRatio),
      isRandom: parent?.isRandom ?? true,
      tracestate: parent?.tracestate,
    }
    if (!own.isSampled) return toSilentSpan(own)
    return createSpan(name, { own, parent_span_id: parent?.span_id, spanOptions, clock, exporter })
  }

  const close = () => exporter.close(closeMs)
  return {
    start,
    flush: () => exporter.flush(flushMs),
    get dropped() {
      return exporter.dropped
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const nextTraceId = createTraceIdSource(systemClock)

/** Sends nothing. Passes on the trace that a call came with. */
export const noTracer: Tracer = {
  start(_name, { parent } = {}) {
    const known = parseTraceContext(parent)
    if (known) return toSilentSpan(known)
    const trace_id = nextTraceId()
    const own = { trace_id, span_id: trace_id.slice(16), tracestate: undefined }
    return toSilentSpan({ ...own, isSampled: false, isRandom: true })
  },
  flush: async () => undefined,
  dropped: 0,
  close: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
}

interface SpanParts {
  own: ParentContext
  parent_span_id: string | undefined
  spanOptions: SpanOptions
  clock: Clock
  exporter: Exporter
}

function createSpan(name: string, parts: SpanParts): Span {
  const { own, parent_span_id, spanOptions, clock, exporter } = parts
  const { trace_id, span_id, tracestate } = own
  const started_at = clock.now()
  const began = clock.monotonic()
  const attributes: (Attributes | (() => Attributes))[] = []
  if (spanOptions.attributes) attributes.push(spanOptions.attributes)
  let events = noEvents
  let isEnded = false

  function addEvent(name: string, attributes?: Attributes): void {
    if (isEnded || events.length === maxEvents) return
    const event = { name, after_ms: clock.monotonic() - began, attributes }
    events = [...events, event]
  }

  return {
    trace_id,
    span_id,
    context: toTraceContext(own),
    set(more) {
      if (!isEnded) attributes.push(more)
    },
    event: addEvent,
    end({ error, name: last = name } = {}) {
      if (isEnded) return
      if (error) {
        attributes.push({ 'error.type': error.type })
        const { type, message } = error
        addEvent('exception', { 'exception.type': type, 'exception.message': message })
      }
      isEnded = true
      exporter.push({
        trace_id,
        span_id,
        parent_span_id,
        tracestate,
        name: last,
        kind: spanOptions.kind ?? 'internal',
        started_at,
        duration_ms: clock.monotonic() - began,
        attributes,
        events,
        error,
      })
    },
  }
}

function toSilentSpan(own: ParentContext): Span {
  const { trace_id, span_id } = own
  const nothing = () => undefined
  const context = toTraceContext(own)
  return { trace_id, span_id, context, set: nothing, event: nothing, end: nothing }
}

const tracesPath = '/v1/traces'

function toTracesUrl(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol)) {
    const message = 'the OTLP endpoint is not an http:// or https:// address'
    throw new AppError('config_invalid', message)
  }
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith(tracesPath) ? path : path + tracesPath
  return url.href
}

function toResource({ serviceName, serviceVersion, resource }: TracerOptions): Attributes {
  return {
    'telemetry.sdk.name': 'dataagent',
    'telemetry.sdk.language': 'nodejs',
    'service.name': serviceName,
    'service.version': serviceVersion,
    ...resource,
  }
}
