import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { IpcEnd, Kv } from '@dataagent/store/kv'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../app.ts'
import type { Config } from '../config/index.ts'
import {
  closeWithin,
  type Dependency,
  pause,
  type Readiness,
  watchReadiness,
} from '../deps/index.ts'
import { type AdminKey, createAuthenticate, makeAdminKey } from '../keys/index.ts'
import type { Logger } from '../log/index.ts'
import { version } from '../version.ts'
import { openDatabase } from './database.ts'

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

const webRoot = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/**
 * Builds everything and listens. Stores are loaded and connected in the background: one that is
 * away delays readiness, not the start.
 */
export async function startServer(
  { config, log, onFatal, clock = systemClock }: ComposeOptions,
  role: 'single' | 'worker' = 'single',
): Promise<Server> {
  await checkMasterKey(config)
  const database = openDatabase({ config, clock, makesKey: role === 'single' })
  const kv = openKv(config, role === 'worker' ? process : undefined)
  const dependencies = [database.dependency, kv.dependency]
  const readiness = watchReadiness({ dependencies, clock, log, onFatal })
  const authenticate = createAuthenticate({ config, stores: database.stores, clock })

  async function closeStores(): Promise<void> {
    readiness.stop()
    await Promise.all([database.close(), kv.close()])
  }

  try {
    const app = await createApp({ config, log, clock, version, readiness, authenticate, webRoot })
    await app.listen({ host: config.host, port: config.port })
    readiness.start()
    return {
      url: urlOf(config, portOf(app)),
      readiness,
      adminKey: database.adminKey,
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

/**
 * What the parent of several workers does itself. The caller starts its readiness once a worker
 * listens: a start that fails makes no key that nobody sees.
 */
export async function startParent(options: ComposeOptions): Promise<Parent> {
  const { config, log, onFatal, clock = systemClock } = options
  await checkMasterKey(config)
  const database = openDatabase({ config, clock, makesKey: true })
  const { createMemoryKv, serveKv } = await import('@dataagent/store/kv')
  const kv = config.redis_url ? undefined : createMemoryKv()
  const dependencies = [database.dependency]
  const readiness = watchReadiness({ dependencies, clock, log, onFatal })
  return {
    readiness,
    adminKey: database.adminKey,
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
  await checkMasterKey(config)
  const database = openDatabase({ config, clock, makesKey: false })
  try {
    await database.dependency.open()
    return (await makeAdminKey({ ...database.stores(), clock })).key
  } finally {
    await database.close()
  }
}

/** Throws `config_invalid` for a master key that cannot be right, without asking any store. */
async function checkMasterKey({ master_key, master_key_file }: Config): Promise<void> {
  if (!master_key && !master_key_file) return
  const { parseMasterKeys, readKeyFile } = await import('@dataagent/store/secrets')
  if (master_key_file) await readKeyFile(master_key_file)
  if (master_key) parseMasterKeys(master_key.reveal())
}

/** A connection that is only just being made is not away yet. */
const kvPatienceMs = 2_000

/** Redis, the KV that the parent serves, or this process's own. */
function openKv(config: Config, parent: IpcEnd | undefined) {
  let kv: Kv | undefined

  async function check(): Promise<void> {
    if (kv?.state.status === 'away') throw new AppError('store_unavailable', kv.state.reason)
  }

  async function open(): Promise<void> {
    kv ??= await createKv(config, parent)
    await kv.ready(AbortSignal.timeout(kvPatienceMs)).catch(check)
  }

  return {
    dependency: { name: 'key-value store', open, check } satisfies Dependency,
    close: async () => kv?.[Symbol.asyncDispose](),
  }
}

async function createKv({ redis_url }: Config, parent: IpcEnd | undefined): Promise<Kv> {
  const { connectKv, createMemoryKv, createRedisKv } = await import('@dataagent/store/kv')
  if (redis_url) return createRedisKv({ url: redis_url.reveal(), prefix: 'dataagent:' })
  return parent ? connectKv({ parent }) : createMemoryKv()
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port
}

function urlOf({ host }: Config, port: number): string {
  const shown = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
