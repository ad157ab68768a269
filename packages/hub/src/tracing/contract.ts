import type { TraceContext } from '@dataagent/mcp'

/** The value of an attribute. */
export type AttributeValue = string | number | boolean | readonly string[]
export type Attributes = Record<string, AttributeValue | undefined>

/** One span under way. Ends once: later calls do nothing. */
export interface Span {
  readonly trace_id: string
  readonly span_id: string
  /** For the next hop: goes into `_meta` and headers. */
  readonly context: TraceContext
  /** As they are when the span is sent, or what the function gives then: it must not throw. */
  set(attributes: Attributes | (() => Attributes)): void
  event(name: string, attributes?: Attributes): void
  /** `name` takes the place of the first one: what it is about may be known at the end only. */
  end(end?: { error?: { type: string; message: string } | undefined; name?: string }): void
}

export interface SpanOptions {
  kind?: 'internal' | 'client' | 'server'
  parent?: TraceContext | undefined
  attributes?: Attributes
}

/** Makes spans and sends them on. Never throws and never holds up a caller. */
export interface Tracer extends AsyncDisposable {
  start(name: string, options?: SpanOptions): Span
  /** Sends what is waiting; resolves when it is sent or given up. */
  flush(): Promise<void>
  /** Spans that were given up because the receiver did not keep up. */
  readonly dropped: number
  close(): Promise<void>
}
