import type { Clock, Egress } from '@dataagent/guard'
import { createTracer, type SpanOptions, type Tracer } from '@dataagent/hub'
import type { Config } from '../config/index.ts'
import { currentRequestId, currentSpan, type Logger } from '../log/index.ts'
import { version } from '../version.ts'

/**
 * Where spans go, by the settings. Each has the id of the request that it is part of [D22.5]; one
 * that is started without a parent is a part of the request's own span.
 */
export function createTracing(
  { otlp_endpoint, otlp_headers, otlp_sample_percent }: Config,
  { egress, clock, log }: { egress: Egress; clock: Clock; log: Logger },
): Tracer | undefined {
  if (otlp_endpoint === undefined) return undefined
  const pairs = otlp_headers.map((header) => {
    const [name = '', ...value] = header.reveal().split('=')
    return [name, value.join('=')]
  })
  const tracer = createTracer({
    ...{ endpoint: otlp_endpoint, headers: Object.fromEntries(pairs), egress, clock },
    ...{ serviceName: 'dataagent', serviceVersion: version },
    sampleRatio: otlp_sample_percent / 100,
    resource: { 'service.instance.id': String(process.pid) },
    onDropped: (dropped) => log.warn({ ...dropped }, 'spans were given up'),
  })
  return {
    start(name, options = {}) {
      const request_id = currentRequestId()
      const attributes = { ...options.attributes, request_id }
      return tracer.start(name, { ...options, attributes, parent: toParent(options) })
    },
    flush: tracer.flush,
    close: tracer.close,
    get dropped() {
      return tracer.dropped
    },
    [Symbol.asyncDispose]: () => tracer[Symbol.asyncDispose](),
  }
}

/** A client of MCP may name the trace that its request came from in the message, too. */
function toParent({ parent }: SpanOptions): SpanOptions['parent'] {
  const span = currentSpan()
  const isOfRequest = parent === undefined || parent.traceparent === span?.from
  return span && isOfRequest ? span.context : parent
}
