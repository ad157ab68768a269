import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer, type Server } from 'node:https'
import type { Clock } from '@dataagent/guard'
import type { Tracer } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import { type FastifyInstance, fastify, LogController } from 'fastify'
import { addApi } from './api/index.ts'
import type { Config } from './config/index.ts'
import {
  addBodies,
  addBodyTime,
  addGate,
  addNotFound,
  addOriginCheck,
  addRequestId,
  addRequestLog,
  addRequestTrace,
  addSecurityHeaders,
  chooseRequestId,
  createClientErrorHandler,
  createFrameworkErrorHandler,
  endSilentConnections,
  noRequestTimeout,
  type Readiness,
  readTls,
  type ServerMetrics,
  type Shedding,
  sendError,
  watchTls,
} from './deps/index.ts'
import { createServeGateway, type ServeGateway } from './gateway/index.ts'
import type { Identity, Oidc } from './identity/index.ts'
import { createRequestLogger, type Logger } from './log/index.ts'
import type { GetPlatform } from './platform/index.ts'
import { addPages } from './web/index.ts'
import { addSockets, type Identify, type Sockets } from './ws/index.ts'

export interface AppOptions {
  config: Config
  log: Logger
  clock: Clock
  version: string
  readiness: Readiness
  identity: Identity
  oidc: Oidc | undefined
  platform: GetPlatform
  shedding: Shedding
  sockets: Sockets
  metrics: ServerMetrics
  /** The built browser application. */
  webRoot: string
}

/** The HTTP side of the server, ready to listen or to be injected into. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, log, clock, readiness, identity, platform, shedding, sockets } = options
  const { metrics } = options
  const serveGateway = createServeGateway({ config, log, platform, shedding, metrics })
  const app = createFastify(config, log, serveGateway)
  endSilentConnections(app)
  metrics.watch({
    runningTurns: () => platform().runs.running,
    waitingTurns: () => platform().runs.waiting,
    openSockets: () => sockets.size,
    requestsUnderWay: () => shedding.underWay,
    requestsShed: () => shedding.shed,
    loopDelayMs: () => shedding.loopDelayMs,
  })

  app.setErrorHandler((error, request, reply) => {
    if (isAppError(error, 'store_unavailable')) readiness.recheck()
    return sendError(error, request, reply)
  })
  addBodies(app, { limit: config.body_limit })
  addRequestId(app)
  if (config.otlp_endpoint !== undefined) addRequestTrace(app, () => tracerOf(platform))
  addBodyTime(app, { clock, withinMs: config.request_timeout * 1000 })
  addRequestLog(app)
  metrics.addTo(app)
  addSecurityHeaders(app, config)
  addOriginCheck(app, config)
  await app.register(cors, {
    origin: corsOrigin(config),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'x-request-id',
      'retry-after',
      'idempotency-replayed',
      'x-session-id',
      'traceresponse',
    ],
    strictPreflight: false,
    maxAge: 600,
  })
  await app.register(cookie)
  addNotFound(app)
  shedding.addTo(app)
  addGate(app, identity.authenticate)
  await addApi(app, { ...options, worker: String(process.pid) })
  const maxStrangers = Math.ceil(config.max_connections / 10)
  const identify = identifyBy(identity)
  await addSockets(app, { platform, sockets, clock, metrics, identify, maxStrangers })
  await addPages(app, options.webRoot)
  const server = app.server as unknown as Server
  const endWatch = watchTls({ server, config, clock, log })
  app.addHook('onClose', async () => endWatch())
  return app
}

/** While the server starts there is none: what cannot be answered yet is not traced. */
function tracerOf(platform: GetPlatform): Tracer | undefined {
  try {
    return platform().tracer
  } catch {
    return undefined
  }
}

function identifyBy(identity: Identity): Identify {
  return {
    byRequest: async (request) => (await identity.authenticateIfAny(request))?.principal,
    byKey: async (key, { ip }) => (await identity.authenticateKey(key, ip)).principal,
  }
}

function createFastify(config: Config, log: Logger, serveGateway: ServeGateway): FastifyInstance {
  const tls = readTls(config)
  const server = {
    headersTimeout: config.headers_timeout * 1000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16_384,
  }
  const app = fastify({
    // The framework must know that it speaks TLS.
    ...(tls && { https: { ...server, ...tls } }),
    serverFactory(answer) {
      const listener: RequestListener = (request, response) =>
        serveGateway(request, response) || answer(request, response)
      const made = tls
        ? createTlsServer({ ...server, ...tls }, listener)
        : createServer(server, listener)
      made.keepAliveTimeout = config.keep_alive_timeout * 1000
      made.requestTimeout = noRequestTimeout
      return made
    },
    trustProxy: config.trusted_proxies.length > 0 && config.trusted_proxies,
    // The framework's own news (where it listens) is told by us; its warnings are kept.
    loggerInstance: log.child({}, { level: 'warn' }) as Logger,
    childLoggerFactory: (_logger, bindings) => createRequestLogger(log, String(bindings.reqId)),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: chooseRequestId,
    requestIdHeader: false,
    bodyLimit: config.body_limit,
    clientErrorHandler: createClientErrorHandler(log),
    frameworkErrors: createFrameworkErrorHandler(config),
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the server stops is still answered, with
    // "Connection: close".
    return503OnClosing: false,
  }) as unknown as FastifyInstance
  app.server.maxConnections = config.max_connections
  return app
}

function corsOrigin(config: Config): string[] | '*' | false {
  if (config.cors_origins.includes('*')) return '*'
  return config.cors_origins.length > 0 ? config.cors_origins : false
}
