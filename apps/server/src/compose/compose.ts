import type { AddressInfo } from 'node:net'
import { type Clock, createEgress, type Masker, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { IpcEnd } from '@dataagent/store/kv'
import type { FastifyInstance } from 'fastify'
import { tellWorkers } from '../api/index.ts'
import { createApp } from '../app.ts'
import type { Config } from '../config/index.ts'
import {
  closeWithin,
  createServerMetrics,
  createShedding,
  pause,
  type Readiness,
  untilReady,
  watchReadiness,
} from '../deps/index.ts'
import { type AdminKey, createIdentity, createOidc } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import { webRoot } from '../places.ts'
import type { GetPlatform } from '../platform/index.ts'
import { offerSamples } from '../samples/index.ts'
import { version } from '../version.ts'
import { createSockets, tellNews } from '../ws/index.ts'
import { checkMasterKey } from './check-master-key.ts'
import { openDatabase } from './database.ts'
import { openKv } from './key-value.ts'
import { openPlatform } from './open-platform.ts'
import type { Terminal } from './terminal.ts'

export interface ComposeOptions {
  config: Config
  log: Logger
  /** That of the log: it learns what must not be there. */
  masker: Masker
  /** Told of a failure of the stores that waiting will not mend. */
  onFatal(error: unknown): void
  /** The environment as it was at the start: what the agent reads of it. */
  env?: Readonly<Record<string, string | undefined>>
  /** The port on which others listen already: this one joins them once it is ready. */
  joins?: { port: number; onTrial?: boolean | undefined } | undefined
  /** Whose platform it is, where a terminal has started it. */
  terminal?: Terminal | undefined
  clock?: Clock
}

/** One process that serves requests. */
export interface Server {
  /** Where it listens. */
  url: string
  readiness: Readiness
  /** Throws `store_unavailable` until it has started. */
  platform: GetPlatform
  /** Known once the database is there; never in a worker. */
  adminKey: Promise<AdminKey>
  /** Stops accepting, lets requests under way finish within the grace time, closes the stores. */
  stop(): Promise<void>
}

/** For the calls of other processes, where own requests have taken all the time there was. */
const leastHandOverMs = 1_000

/**
 * Builds everything and listens. Stores are loaded and connected in the background: one that is
 * away delays readiness, not the start.
 */
export async function startServer(
  options: ComposeOptions,
  role: 'single' | 'worker' = 'single',
): Promise<Server> {
  const { config, log, masker, onFatal, env = {}, joins, clock = systemClock } = options
  const { terminal } = options
  await checkMasterKey(config)
  const database = openDatabase({ config, clock, makesKey: role === 'single' })
  const kv = openKv(config, role === 'worker' ? process : undefined)
  const shedding = createSheddingOf(config, clock, log)
  const metrics = createServerMetrics()
  const sockets = createSockets({ maxPerUser: config.ws_max_sockets_per_user })
  const news = new DisposableStack()
  const stopping = new AbortController()
  let offering: Promise<void> | undefined
  let listening = ''
  const stores = () => ({ ...database.opened(), kv: kv.opened() })
  const identity = createIdentity({ config, stores, clock })
  const opening = openPlatform({
    ...{ config, clock, log, masker, database, kv, identity, env, terminal, metrics },
    isShared: role === 'worker' || config.redis_url !== undefined,
    ownUrl: () => config.public_url ?? listening,
    overloadedMs: () => (shedding.isOverloaded() ? 1_000 : undefined),
    onStarted(started) {
      news.defer(tellNews({ hub: started.hub, sockets, clock }))
      news.defer(tellWorkers(started, { metrics, worker: String(process.pid) }))
      const only = terminal ? ('data' as const) : undefined
      offering ??= offerSamples(started, { only, signal: stopping.signal })
    },
  })
  const dependencies = [database.dependency, kv.dependency, opening.dependency]
  const readiness = watchReadiness({ dependencies, clock, log, onFatal })
  metrics.watchDependencies(readiness)
  const { platform } = opening
  const egress = createEgress({ policy: { mode: 'any' }, clock })
  const oidc = createOidc({ config, clock, egress, stores: platform })

  async function close(): Promise<void> {
    readiness.stop()
    shedding.stop()
    news.dispose()
    stopping.abort()
    await offering
    await opening.close()
    await Promise.all([database.close(), kv.close(), egress.close()])
  }

  try {
    const app = await createApp({
      ...{ config, log, clock, version, readiness, identity, oidc, platform, shedding, sockets },
      ...{ metrics, webRoot },
    })
    if (joins !== undefined) {
      listening = urlOf(config, joins.port)
      readiness.start()
      // To do its work, or after a while to say why not.
      await (joins.onTrial
        ? assertGetsReady(readiness, clock)
        : untilReady(readiness, clock, 15_000))
    }
    await app.listen({ host: config.host, port: config.port })
    listening = urlOf(config, portOf(app))
    if (joins === undefined) readiness.start()
    return {
      url: listening,
      readiness,
      platform,
      adminKey: database.adminKey,
      async stop() {
        readiness.stop()
        await pause(clock, config.shutdown_delay * 1000)
        const graceMs = config.shutdown_grace * 1000
        const until = clock.monotonic() + graceMs
        const stopping = opening.stop(graceMs)
        sockets.stop((session_id) => endOf(platform, session_id), clock.now())
        await Promise.all([stopping, closeWithin(app, clock, graceMs)])
        await opening.handOver(Math.max(leastHandOverMs, until - clock.monotonic()))
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What takes the place of one that serves is no worse. A new version may have tables to change. */
async function assertGetsReady(readiness: Readiness, clock: Clock): Promise<void> {
  if (await untilReady(readiness, clock, 60_000)) return
  const missing = readiness.states().filter(({ status }) => status !== 'ready')
  const names = missing.map(({ name }) => name).join(', ')
  throw new AppError('unavailable', `not ready after 60 seconds: ${names}`)
}

/** The end of a session's run here, where there is a platform and a run. */
function endOf(platform: GetPlatform, session_id: string): Promise<void> | undefined {
  try {
    return platform().runs.endOf(session_id)
  } catch {
    return undefined
  }
}

function createSheddingOf(config: Config, clock: Clock, log: Logger) {
  const { max_loop_delay_ms: maxLoopDelayMs, max_requests: maxRequests } = config
  return createShedding({
    maxLoopDelayMs,
    maxRequests,
    maxRequestsPerUser: config.max_requests_per_user,
    hasTenants: config.multi_tenant,
    clock,
    log,
  })
}

/** The parent of several workers: it makes the first key and serves them the KV. */
export interface Parent extends Omit<Server, 'url' | 'platform'> {
  /** To be called for each worker. */
  serve(worker: IpcEnd): void
  urlOf(port: number): string
}

/**
 * What the parent of several workers does itself. The caller starts its readiness once a worker
 * listens: a start that fails makes no key that nobody sees.
 */
export async function startParent(options: Omit<ComposeOptions, 'masker'>): Promise<Parent> {
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

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port
}

function urlOf({ host, tls_cert }: Config, port: number): string {
  const shown = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `${tls_cert ? 'https' : 'http'}://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
