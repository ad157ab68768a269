import type { Clock } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import cors from '@fastify/cors'
import { type FastifyInstance, fastify, LogController } from 'fastify'
import { addApi } from './api/index.ts'
import type { Config } from './config/index.ts'
import {
  type Authenticate,
  addGate,
  addNotFound,
  addOriginCheck,
  addRequestId,
  addRequestLog,
  addSecurityHeaders,
  chooseRequestId,
  createClientErrorHandler,
  createFrameworkErrorHandler,
  type Readiness,
  sendError,
} from './deps/index.ts'
import { createRequestLogger, type Logger } from './log/index.ts'
import { addPages } from './web/index.ts'

export interface AppOptions {
  config: Config
  log: Logger
  clock: Clock
  version: string
  readiness: Readiness
  authenticate: Authenticate
  /** The built browser application. */
  webRoot: string
}

/** The HTTP side of the server, ready to listen or to be injected into. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, log, readiness } = options
  const app = createFastify(config, log)

  app.setErrorHandler((error, request, reply) => {
    if (isAppError(error, 'store_unavailable')) readiness.recheck()
    return sendError(error, request, reply)
  })
  addRequestId(app)
  addRequestLog(app)
  addSecurityHeaders(app, config)
  addOriginCheck(app, config)
  await app.register(cors, {
    origin: corsOrigin(config),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['x-request-id', 'retry-after'],
    strictPreflight: false,
    maxAge: 600,
  })
  addNotFound(app)
  addGate(app, options.authenticate)
  await addApi(app, options)
  await addPages(app, options.webRoot)
  return app
}

function createFastify(config: Config, log: Logger): FastifyInstance {
  const app = fastify({
    // The framework's own news (where it listens) is told by us; its warnings are kept.
    loggerInstance: log.child({}, { level: 'warn' }) as Logger,
    childLoggerFactory: (_logger, bindings) => createRequestLogger(log, String(bindings.reqId)),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: chooseRequestId,
    requestIdHeader: false,
    bodyLimit: config.body_limit,
    requestTimeout: config.request_timeout * 1000,
    keepAliveTimeout: config.keep_alive_timeout * 1000,
    http: {
      headersTimeout: config.headers_timeout * 1000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
    },
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
