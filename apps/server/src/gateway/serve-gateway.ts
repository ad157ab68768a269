import type { IncomingMessage, ServerResponse } from 'node:http'
import { isGatewayPath } from '@dataagent/gateway'
import type { Span } from '@dataagent/hub'
import { AppError, isAppError, toErrorResponse } from '@dataagent/schema'
import type { Config } from '../config/index.ts'
import {
  chooseRequestId,
  contextOf,
  createOriginCheck,
  type ServerMetrics,
  type Shedding,
  toEnd,
} from '../deps/index.ts'
import { inRequest, inSpan, type Logger } from '../log/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { createVisitors } from './visitor.ts'

export interface ServeGatewayOptions {
  config: Config
  log: Logger
  platform: GetPlatform
  shedding: Pick<Shedding, 'isOverloaded'>
  metrics: Pick<ServerMetrics, 'served'>
}

interface Served {
  id: string
  path: string
  span: Span | undefined
}

/** Gives whether the request was one to the gateway, which is then being served. */
export type ServeGateway = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Requests of MCP clients go past the framework: what it does for a request costs as much as a
 * call. What the framework's hooks do for all others is done here.
 */
export function createServeGateway(options: ServeGatewayOptions): ServeGateway {
  const { config, log, platform, shedding, metrics } = options
  const isTraced = config.otlp_endpoint !== undefined
  const checkOrigin = createOriginCheck(config)
  const { ipOf, toAsked } = createVisitors(config.trusted_proxies)

  function serve(request: IncomingMessage, response: ServerResponse, path: string): void {
    try {
      checkHost(request, path)
      // A client that posts to its stream hangs on any refusal.
      if (shedding.isOverloaded() && !path.endsWith('/messages')) throw tooBusy()
      const { gateway } = platform()
      if (gateway === undefined) throw new AppError('not_found', 'The gateway is switched off.')
      gateway.handle(request, response)
    } catch (error) {
      refuse(error, response)
    }
  }

  /**
   * Of the authorization server any page may ask what is public; its form, which browsers send
   * without saying from where, it checks itself.
   */
  function checkHost(request: IncomingMessage, path: string): void {
    const asked = toAsked(request)
    const isOpen = openPath.test(path)
    checkOrigin(isOpen ? { ...asked, headers: { ...asked.headers, origin: undefined } } : asked)
  }

  function record(request: IncomingMessage, response: ServerResponse, at: Served): void {
    const start = performance.now()
    const { method = '' } = request
    // The socket tells nothing once it is closed.
    const remote_address = ipOf(request)
    response.on('close', () => {
      const ms = performance.now() - start
      const { statusCode: status } = response
      const route = routeOf(at.path)
      metrics.served({ method: knownMethod(method), route, status, seconds: ms / 1000 })
      const duration_ms = Math.round(ms * 10) / 10
      const fields = { method, path: at.path, status, duration_ms, remote_address }
      at.span?.set({ 'http.response.status_code': status })
      at.span?.end(toEnd(status))
      inRequest(at.id, () => inSpan(at.span, () => log.info(fields, 'request answered')))
    })
  }

  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (!config.gateway || !isGatewayPath(path)) return false
    const id = chooseRequestId(request)
    response.setHeader('x-request-id', id)
    inRequest(id, () => {
      const span = isTraced ? startSpan(request, path) : undefined
      if (span) response.setHeader('traceresponse', span.context.traceparent)
      record(request, response, { id, path, span })
      const from = contextOf(request.headers)?.traceparent
      inSpan(span && { ...span, from }, () => serve(request, response, path))
    })
    return true
  }

  /** Of what clients ask; not of streams on which they only wait, nor of pages. */
  function startSpan({ method = '', headers }: IncomingMessage, path: string): Span | undefined {
    if (method !== 'POST' || openPath.test(path)) return undefined
    const route = routeOf(path).replace(/:(\w+)/g, '{$1}')
    return findTracer()?.start(`${method} ${route}`, {
      ...{ kind: 'server', parent: contextOf(headers) },
      attributes: { 'http.request.method': method, 'http.route': route, 'url.path': path },
    })
  }

  function findTracer() {
    try {
      return platform().tracer
    } catch {
      return undefined
    }
  }
}

const openPath = /^\/(?:\.well-known\/|mcp\/oauth\/)/

function refuse(error: unknown, response: ServerResponse): void {
  const { status, body } = toErrorResponse(error, String(response.getHeader('x-request-id')))
  const isLater = isAppError(error, 'unavailable') || isAppError(error, 'store_unavailable')
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(isLater && { 'retry-after': '1' }),
  })
  response.end(JSON.stringify(body))
}

function tooBusy(): AppError {
  return new AppError('unavailable', 'The server has more to do than it can do in time.')
}

/** A label holds nothing that a caller made up. */
function knownMethod(method: string): string {
  return ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD'].includes(method) ? method : 'other'
}

function routeOf(path: string): string {
  if (path.startsWith('/mcp/g/')) return '/mcp/g/:group_id'
  if (path.startsWith('/mcp/oauth/')) return '/mcp/oauth'
  return path.startsWith('/.well-known/') ? '/.well-known' : path.replace(/\/$/, '')
}
