import type { IncomingHttpHeaders } from 'node:http'
import type { Span, Tracer } from '@dataagent/hub'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bindSpan, inSpan } from '../log/index.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the request is traced. */
    span: Span | undefined
  }
}

/** What is asked all the time by machines would bury what people look for. */
const quiet = new Set(['/api/v1/health', '/api/v1/ready', '/api/v1/metrics'])

/** Routes of the API; pages, their files and sockets, whose messages have spans, are none. */
function isTracedRoute(route: string | undefined): route is string {
  return route?.startsWith('/api/') === true && !quiet.has(route)
}

/**
 * Each request to the API is a span, within the caller's trace where it names one; its answer says
 * which, in `traceresponse`. `tracerOf` gives undefined while there is none.
 */
export function addRequestTrace(
  app: FastifyInstance,
  tracerOf: () => Pick<Tracer, 'start'> | undefined,
): void {
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const span = start(request, tracerOf)
    if (span === undefined) return done()
    request.span = span
    bindSpan(request.log, span)
    reply.header('traceresponse', span.context.traceparent)
    // Also where the caller has left before it was answered.
    reply.raw.once('close', () => {
      const { statusCode } = reply
      span.set({
        'http.response.status_code': statusCode,
        'dataagent.client_left': !reply.raw.writableFinished || undefined,
      })
      span.end(toEnd(statusCode))
    })
    const { trace_id, span_id, context } = span
    const from = contextOf(request.headers)?.traceparent
    inSpan({ trace_id, span_id, context, from }, done)
  })
}

function start(
  request: FastifyRequest,
  tracerOf: () => Pick<Tracer, 'start'> | undefined,
): Span | undefined {
  const { method, url, headers, is404 } = request
  const route = request.routeOptions.url
  if (is404 || !isTracedRoute(route)) return undefined
  return tracerOf()?.start(`${method} ${toTemplate(route)}`, {
    ...{ kind: 'server', parent: contextOf(headers) },
    attributes: {
      'http.request.method': method,
      'http.route': toTemplate(route),
      'url.path': url.split('?', 1)[0],
      'url.scheme': request.protocol,
    },
  })
}

/** By OpenTelemetry's conventions only what is the server's own fault is an error of its span. */
export function toEnd(status: number): Parameters<Span['end']>[0] {
  if (status < 500) return {}
  return { error: { type: String(status), message: `answered with ${status}` } }
}

/** `/sessions/{session_id}`, as the API's description writes it. */
function toTemplate(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}

/** The trace that a request's work is part of: its span, or what its caller names. */
export function traceOf({ span, headers }: FastifyRequest) {
  return span?.context ?? contextOf(headers)
}

/** The caller's own trace, where it has one [W3C Trace Context, section 3.2]. */
export function contextOf({ traceparent, tracestate }: IncomingHttpHeaders) {
  if (typeof traceparent !== 'string' || !isTraceparent.test(traceparent)) return undefined
  return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent }
}

const isTraceparent = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/
