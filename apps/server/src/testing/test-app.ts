import { systemClock } from '@dataagent/guard'
import { AppError, createSecret } from '@dataagent/schema'
import type { FastifyInstance } from 'fastify'
import { type AppOptions, createApp } from '../app.ts'
import { type Config, loadConfig } from '../config/index.ts'
import {
  createServerMetrics,
  createShedding,
  type Dependency,
  watchReadiness,
} from '../deps/index.ts'
import type { Identity } from '../identity/index.ts'
import { createLogger, createLogMasker, type Logger } from '../log/index.ts'
import { createSockets } from '../ws/index.ts'

export interface TestApp extends AsyncDisposable {
  app: FastifyInstance
  log: Logger
  /** Log records so far. */
  records: Record<string, unknown>[]
}

export interface TestAppOptions extends Partial<Pick<AppOptions, 'webRoot'>> {
  authenticate?: Identity['authenticate']
  config?: Partial<Config>
  dependencies?: Dependency[]
  /** Adds routes before the app is ready. */
  extend?(app: FastifyInstance): void
}

export const testKey = 'key-of-the-test-app'

const tester = { tenant_id: 'default', user_id: 'tester', role: 'user' } as const

/** The HTTP side over a log that is kept in memory and a key that is `testKey`. */
export async function createTestApp({
  config,
  dependencies = [],
  extend,
  authenticate = testAuthenticate,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const { log, records } = createTestLog()
  const onFatal = (error: unknown) => log.error({ error }, 'fatal')
  const readiness = watchReadiness({ dependencies, clock: systemClock, log, onFatal })
  const clock = systemClock
  const shedding = createShedding({
    ...{ maxLoopDelayMs: 60_000, maxRequests: 1_000, maxRequestsPerUser: 200, hasTenants: true },
    ...{ clock, log },
  })
  const app = await createApp({
    config: testConfig(config),
    log,
    clock,
    version: '1.2.3',
    readiness,
    identity: toIdentity(authenticate),
    oidc: undefined,
    platform: () => {
      throw new AppError('store_unavailable', 'There are no stores.')
    },
    shedding,
    sockets: createSockets({ maxPerUser: 10 }),
    metrics: createServerMetrics(),
    webRoot: '/no/such/directory',
    ...options,
  })
  extend?.(app)
  await app.ready()
  readiness.start()
  return {
    app,
    log,
    records,
    async [Symbol.asyncDispose]() {
      readiness.stop()
      shedding.stop()
      await app.close()
    },
  }
}

const testAuthenticate: Identity['authenticate'] = async ({ headers }) => {
  if (headers['x-api-key'] !== testKey) throw new AppError('unauthenticated', 'Wrong key.')
  return { principal: tester, via: 'api_key' }
}

function toIdentity(authenticate: Identity['authenticate']): Identity {
  const nothing = async () => {}
  const refuse = async () => {
    throw new AppError('unauthenticated', 'Wrong key.')
  }
  return {
    authenticate,
    authenticateIfAny: authenticate,
    authenticateKey: refuse,
    authenticateBrowser: async () => undefined,
    stillMay: async () => undefined,
    holderOf: async () => undefined,
    signInByKey: refuse,
    signIn: nothing,
    signOut: nothing,
    forget: () => {},
  }
}

/** The defaults with `change` over them. */
export function testConfig(change: Partial<Config> = {}): Config {
  const loaded = loadConfig({ argv: ['--data-dir', '/no/such/directory'], env: {} })
  if (loaded.status !== 'ok') throw new Error('the defaults are not valid')
  return { ...loaded.config, api_keys: [createSecret(testKey)], ...change }
}

/** A logger whose records are kept. */
export function createTestLog() {
  const records: Record<string, unknown>[] = []
  const sink = { write: (line: string) => void records.push(JSON.parse(line)) }
  const masker = createLogMasker(testConfig())
  return { log: createLogger({ level: 'debug', masker, sink }), masker, records }
}
