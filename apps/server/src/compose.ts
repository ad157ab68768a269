import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '@dataagent/guard'
import type { IpcEnd } from '@dataagent/store/kv'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import type { Config } from './config/index.ts'
import { createAuthenticate } from './deps/authenticate.ts'
import { type Readiness, watchReadiness } from './deps/readiness.ts'
import type { Logger } from './log/logger.ts'
import { type AdminKey, ensureAdminKey, makeAdminKey, operator } from './start/admin-key.ts'
import { closeWithin, pause } from './start/close-within.ts'
import { type Database, openDatabase } from './stores/database.ts'
import { openKv } from './stores/key-value.ts'
import { version } from './version.ts'

export interface ComposeOptions {
  config: Config
  log: Logger
  /** Told of a failure of the stores that waiting will not mend. */
  onFatal(error: unknown): void
  clock?: Clock
}

/** One process that serves requests. */
export interface Server {
  /** Where it listens. */
  url: string
  readiness: Readiness
  /** Known once the database is there; never in a worker. */
  adminKey: Promise<AdminKey>
  /** Stops accepting, lets requests under way finish within the grace time, closes the stores. */
  stop(): Promise<void>
}

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * Builds everything and listens. Stores are loaded and connected in the background: one that is
 * away delays readiness, not the start.
 */
export async function startServer(
  { config, log, onFatal, clock = systemClock }: ComposeOptions,
  role: 'single' | 'worker' = 'single',
): Promise<Server> {
  const adminKey = Promise.withResolvers<AdminKey>()
  const database = openDatabase({
    config,
    clock,
    async onOpen(stores) {
      if (role === 'single') adminKey.resolve(await findAdminKey(config, stores, clock))
    },
  })
  const kv = openKv(config, role === 'worker' ? process : undefined)
  const authenticate = createAuthenticate({ config, stores: database.stores, clock, operator })
  const dependencies = [database.dependency, kv.dependency]
  const readiness = watchReadiness({ dependencies, clock, log, onFatal })

  async function closeStores(): Promise<void> {
    readiness.stop()
    await Promise.all([database.close(), kv.close()])
  }

  try {
    const app = await createApp({ config, log, clock, version, readiness, authenticate, webRoot })
    await app.listen({ host: config.host, port: config.port })
    return {
      url: urlOf(config, portOf(app)),
      readiness,
      adminKey: adminKey.promise,
      async stop() {
        readiness.stop()
        await pause(clock, config.shutdown_delay * 1000)
        await closeWithin(app, clock, config.shutdown_grace * 1000)
        await closeStores()
      },
    }
  } catch (error) {
    await closeStores()
    throw error
  }
}

/** The parent of several workers: it makes the first key and serves them the KV. */
export interface Parent extends Omit<Server, 'url'> {
  /** To be called for each worker. */
  serve(worker: IpcEnd): void
  urlOf(port: number): string
}

/** Starts what the parent of several workers does itself. */
export async function startParent(options: ComposeOptions): Promise<Parent> {
  const { config, log, onFatal, clock = systemClock } = options
  const adminKey = Promise.withResolvers<AdminKey>()
  const database = openDatabase({
    config,
    clock,
    onOpen: async (stores) => adminKey.resolve(await findAdminKey(config, stores, clock)),
  })
  const { createMemoryKv, serveKv } = await import('@dataagent/store/kv')
  const kv = config.redis_url ? undefined : createMemoryKv()
  const dependencies = [database.dependency]
  const readiness = watchReadiness({ dependencies, clock, log, onFatal })
  return {
    readiness,
    adminKey: adminKey.promise,
    serve(worker) {
      if (kv) serveKv({ kv, worker })
    },
    urlOf: (port) => urlOf(config, port),
    async stop() {
      readiness.stop()
      await Promise.all([database.close(), kv?.[Symbol.asyncDispose]()])
    },
  }
}

/** Makes one more administrator key. Throws where the database is not there. */
export async function createAdminKey(config: Config, clock = systemClock): Promise<string> {
  const database = openDatabase({ config, clock, onOpen: async () => {} })
  try {
    await database.dependency.open()
    return (await makeAdminKey({ ...database.stores(), clock })).key
  } finally {
    await database.close()
  }
}

type Stores = ReturnType<Database['stores']>

async function findAdminKey(config: Config, stores: Stores, clock: Clock): Promise<AdminKey> {
  const isConfigured = config.auth_disabled || config.api_keys.length > 0
  return isConfigured ? { status: 'configured' } : ensureAdminKey({ ...stores, clock })
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port
}

function urlOf({ host }: Config, port: number): string {
  const shown = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
