import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { IpcEnd, Kv } from '@dataagent/store/kv'
import type { Hasher } from '@dataagent/store/secrets'
import type { SqlStore } from '@dataagent/store/sql'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { type Config, databaseUrl } from './config/index.ts'
import {
  closeWithin,
  type Dependency,
  pause,
  type Readiness,
  watchReadiness,
} from './deps/index.ts'
import {
  type AdminKey,
  createAuthenticate,
  ensureAdminKey,
  type KeyStores,
  makeAdminKey,
  seedOperator,
} from './keys/index.ts'
import type { Logger } from './log/index.ts'
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

interface DatabaseOptions {
  config: Config
  clock: Clock
  /** Whether this process makes the first key. */
  makesKey: boolean
}

/** Its code is loaded when it is opened, so that listening does not wait for it. */
function openDatabase({ config, clock, makesKey }: DatabaseOptions) {
  const adminKey = Promise.withResolvers<AdminKey>()
  let sql: SqlStore | undefined
  let opened: KeyStores | undefined
  let closed = false

  async function open(): Promise<void> {
    const { openSql } = await import('@dataagent/store/sql')
    if (closed) throw new AppError('store_unavailable', 'The database is closed.')
    sql ??= openSql({ url: databaseUrl(config) })
    await sql.migrate()
    const stores: KeyStores = { tables: sql, craft: await createCraft(config, sql) }
    await seedOperator({ ...stores, clock })
    if (makesKey) adminKey.resolve(await findAdminKey(config, stores, clock))
    opened = stores
  }

  return {
    dependency: { name: 'database', open, check: async () => sql?.ping() } satisfies Dependency,
    adminKey: adminKey.promise,
    /** Throws `store_unavailable` until the database has been there once. */
    stores(): KeyStores {
      if (opened) return opened
      throw new AppError('store_unavailable', 'The database has not answered yet.')
    },
    async close(): Promise<void> {
      closed = true
      await sql?.close()
    },
  }
}

async function findAdminKey(config: Config, stores: KeyStores, clock: Clock): Promise<AdminKey> {
  const isConfigured = config.auth_disabled || config.api_keys.length > 0
  return isConfigured ? { status: 'configured' } : ensureAdminKey({ ...stores, clock })
}

/** Throws `config_invalid` for a master key that cannot be right, without asking any store. */
async function checkMasterKey({ master_key, master_key_file }: Config): Promise<void> {
  if (!master_key && !master_key_file) return
  const { parseMasterKeys, readKeyFile } = await import('@dataagent/store/secrets')
  if (master_key_file) await readKeyFile(master_key_file)
  if (master_key) parseMasterKeys(master_key.reveal())
}

async function createCraft(config: Config, sql: SqlStore): Promise<KeyStores['craft']> {
  const { apiKeyLookup, createApiKey, parseApiKey } = await import('@dataagent/store/secrets')
  const hasher = await openHasher(config, sql)
  return {
    create: createApiKey,
    isMistyped: (key) => parseApiKey(key).kind === 'mistyped',
    lookup: apiKeyLookup,
    hash: hasher.hashSecret,
    verify: hasher.verifyApiKey,
  }
}

/** Throws `config_invalid` where the master key is not the one that the database began with. */
async function openHasher(config: Config, { settings }: SqlStore): Promise<Hasher> {
  const { createHasher, createKeyCheck, openKeyring, verifyKeyCheck } = await import(
    '@dataagent/store/secrets'
  )
  const name = 'key_check'
  const keyring = await openKeyring({
    file: config.master_key_file,
    value: config.master_key?.reveal() ?? fleetingKey(config),
    makeAt: join(config.data_dir, 'master.key'),
    keyCheck: await settings.get(name),
  })
  // Another node may have come first with another key.
  verifyKeyCheck(keyring, await settings.setIfAbsent(name, createKeyCheck(keyring)))
  return createHasher({ keyring })
}

/** Where nothing is kept there is nothing for a key file to open later. */
function fleetingKey({ session_store, master_key_file }: Config): string | undefined {
  if (session_store !== 'memory' || master_key_file) return undefined
  return randomBytes(32).toString('base64')
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
