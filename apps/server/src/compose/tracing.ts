import type { Clock, Egress } from '@dataagent/guard'
import { createTracer, type Tracer } from '@dataagent/hub'
import type { Config } from '../config/index.ts'
import { currentRequestId, type Logger } from '../log/index.ts'
import { version } from '../version.ts'

/** Where spans go, by the settings; each has the id of the request that it is part of [D22.5]. */
export function createTracing(
  { otlp_endpoint, otlp_headers }: Config,
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
    onDropped: (dropped) => log.warn({ ...dropped }, 'spans were given up'),
  })
  return {
    start(name, options = {}) {
      const request_id = currentRequestId()
      if (request_id === undefined) return tracer.start(name, options)
      const attributes = { ...options.attributes, request_id }
      return tracer.start(name, { ...options, attributes })
    },
    flush: tracer.flush,
    close: tracer.close,
    get dropped() {
      return tracer.dropped
    },
    [Symbol.asyncDispose]: () => tracer[Symbol.asyncDispose](),
  }
}
