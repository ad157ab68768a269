import type { Attributes, AttributeValue } from './contract.ts'

/** A span that has ended, as it waits to be sent. */
export interface EndedSpan {
  trace_id: string
  span_id: string
  parent_span_id: string | undefined
  tracestate: string | undefined
  name: string
  kind: 'internal' | 'client' | 'server'
  /** Milliseconds since 1970. */
  started_at: number
  duration_ms: number
  /** What later ones name takes the place of what earlier ones do. */
  attributes: readonly (Attributes | (() => Attributes))[]
  events: readonly SpanEvent[]
  error: { type: string; message: string } | undefined
}

export interface SpanEvent {
  name: string
  after_ms: number
  attributes: Attributes | undefined
}

const kinds = { internal: 1, server: 2, client: 3 }
const statusError = 2
/** Longer texts are cut: receivers refuse a request whole for one large attribute. */
const textMax = 32 * 1024

/**
 * The body of an OTLP/HTTP request in JSON: ids in hexadecimal digits, 64-bit numbers as text
 * (OTLP 1.x, "JSON Protobuf Encoding").
 */
export function toTracesJson(spans: readonly EndedSpan[], resource: Attributes): string {
  const scopeSpans = [{ scope: { name: 'dataagent' }, spans: spans.map(toSpan) }]
  const attributes = toKeyValues(resource)
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] })
}

function toSpan(span: EndedSpan) {
  const { started_at, duration_ms, error } = span
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    parentSpanId: span.parent_span_id,
    traceState: span.tracestate,
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: toNanoseconds(started_at),
    endTimeUnixNano: toNanoseconds(started_at + duration_ms),
    attributes: toKeyValues(toMerged(span.attributes)),
    events: span.events.map(({ name, after_ms, attributes }) => ({
      name,
      timeUnixNano: toNanoseconds(started_at + after_ms),
      attributes: toKeyValues(attributes ?? {}),
    })),
    status: error ? { code: statusError, message: cut(error.message) } : {},
  }
}

function toMerged(parts: EndedSpan['attributes']): Attributes {
  const all = parts.map((part) => (typeof part === 'function' ? part() : part))
  return all.length === 1 ? all[0]! : Object.assign({}, ...all)
}

/** Beyond what a number holds: whole milliseconds and the rest are written one after the other. */
function toNanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  const rest = Math.floor((ms - whole) * 1_000_000)
  return `${whole}${String(rest).padStart(6, '0')}`
}

function toKeyValues(attributes: Attributes) {
  const keyValues: { key: string; value: unknown }[] = []
  for (const key in attributes) {
    const value = toAnyValue(attributes[key])
    if (value) keyValues.push({ key, value })
  }
  return keyValues
}

function toAnyValue(value: AttributeValue | undefined) {
  if (typeof value === 'string') return { stringValue: cut(value) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Array.isArray(value)) {
    return { arrayValue: { values: value.map((item) => ({ stringValue: cut(item) })) } }
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

function cut(text: string): string {
  return text.length > textMax ? text.slice(0, textMax) : text
}
