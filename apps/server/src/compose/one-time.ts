import { type Clock, type Masker, systemClock } from '@dataagent/guard'
import type { Config } from '../config/index.ts'
import { createServerMetrics } from '../deps/index.ts'
import { createIdentity, makeAdminKey, type NewAdminKey } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import type { Platform } from '../platform/index.ts'
import { checkMasterKey } from './check-master-key.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'
import { openKv } from './key-value.ts'

interface OneTimeOptions {
  config: Config
  log: Logger
  clock?: Clock
}

/** Makes one more administrator key. Throws where the database is not there. */
export function createAdminKey(options: OneTimeOptions): Promise<NewAdminKey> {
  const { config, clock = systemClock } = options
  return withDatabase(config, clock, async (stores) => {
    const { createNote } = await import('@dataagent/hub')
    return makeAdminKey({ ...stores, clock, note: createNote({ clock }) })
  })
}

/**
 * Fills the hashes that gateway keys lack, and gives how many there were. Servers that run learn of
 * it within a second. Throws where a store is not there.
 */
export function fillKeyHashes(options: PlatformOptions): Promise<number> {
  const { config, clock = systemClock } = options
  return withDatabase(config, clock, (stores) =>
    withPlatform(
      options,
      stores,
      async ({ gateway }) => (await gateway?.groups.fillKeyHashes()) ?? 0,
    ),
  )
}

export interface PlatformOptions extends OneTimeOptions {
  masker: Masker
}

/** The platform of these stores, which is never started: it serves nothing. */
export async function withPlatform<T>(
  { config, log, masker, clock = systemClock }: PlatformOptions,
  stores: OpenedDatabase,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  const kv = openKv(config, undefined)
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(kv.close)
  await kv.dependency.open()
  const { createPlatform } = await import('./platform.ts')
  const opened = { ...stores, kv: kv.opened() }
  const { platform } = cleanup.use(
    await createPlatform({
      ...{ ...opened, config: { ...config, gateway: true }, clock, log, masker, env: {} },
      identity: createIdentity({ config, stores: () => opened, clock }),
      ...{ isShared: true, picksUp: false, ownUrl: () => config.public_url ?? 'http://localhost' },
      ...{ overloadedMs: () => undefined, metrics: createServerMetrics() },
    }),
  )
  return work(platform)
}

export async function withDatabase<T>(
  config: Config,
  clock: Clock,
  work: (stores: OpenedDatabase) => Promise<T>,
): Promise<T> {
  await checkMasterKey(config)
  const database = openDatabase({ config, clock, makesKey: false })
  try {
    await database.dependency.open()
    return await work(database.opened())
  } finally {
    await database.close()
  }
}
