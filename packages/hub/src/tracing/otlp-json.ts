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
 * (OTLP 1.x, "JSON Protobuf Encoding"). It is put together as text, piece by piece: objects of
 * objects for each attribute would be most of what a span costs.
 */
export function toTracesJson(spans: readonly EndedSpan[], resource: Attributes): string {
  const before = `{"resourceSpans":[{"resource":{"attributes":${toKeyValues(resource)}},`
  const scope = '"scopeSpans":[{"scope":{"name":"dataagent"},"spans":['
  return `${before}${scope}${spans.map(toSpan).join(',')}]}]}]}`
}

function toSpan(span: EndedSpan): string {
  const { started_at, duration_ms, parent_span_id, tracestate, error } = span
  let json = `{"traceId":"${span.trace_id}","spanId":"${span.span_id}",`
  if (parent_span_id !== undefined) json += `"parentSpanId":"${parent_span_id}",`
  if (tracestate !== undefined) json += `"traceState":${JSON.stringify(tracestate)},`
  json += `"name":${JSON.stringify(span.name)},"kind":${kinds[span.kind]},`
  json += `"startTimeUnixNano":"${toNanoseconds(started_at)}",`
  json += `"endTimeUnixNano":"${toNanoseconds(started_at + duration_ms)}",`
  json += `"attributes":${toKeyValues(toMerged(span.attributes))},`
  json += `"events":[${span.events.map((event) => toEvent(event, started_at)).join(',')}],`
  const message = error && JSON.stringify(cut(error.message))
  return `${json}"status":${error ? `{"code":${statusError},"message":${message}}` : '{}'}}`
}

function toEvent({ name, after_ms, attributes }: SpanEvent, started_at: number): string {
  const at = toNanoseconds(started_at + after_ms)
  const keyValues = toKeyValues(attributes ?? {})
  return `{"name":${JSON.stringify(name)},"timeUnixNano":"${at}","attributes":${keyValues}}`
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

function toKeyValues(attributes: Attributes): string {
  let json = ''
  for (const key in attributes) {
    const value = toAnyValue(attributes[key])
    if (value !== undefined)
      json += `${json === '' ? '' : ','}{"key":${toKey(key)},"value":${value}}`
  }
  return `[${json}]`
}

const keys = new Map<string, string>()
const keysMax = 1_000

/** As JSON. Those of calls are the same few in every span. */
function toKey(key: string): string {
  let json = keys.get(key)
  if (json === undefined) {
    json = JSON.stringify(key)
    if (keys.size < keysMax) keys.set(key, json)
  }
  return json
}

function toAnyValue(value: AttributeValue | undefined): string | undefined {
  if (typeof value === 'string') return toStringValue(value)
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  if (Array.isArray(value)) {
    return `{"arrayValue":{"values":[${value.map(toStringValue).join(',')}]}}`
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isSafeInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`
}

function toStringValue(text: string): string {
  return `{"stringValue":${JSON.stringify(cut(text))}}`
}

function cut(text: string): string {
  return text.length > textMax ? text.slice(0, textMax) : text
}
