import { type Clock, type Masker, systemClock } from '@dataagent/guard'
import type { Config } from '../config/index.ts'
import { createIdentity, makeAdminKey, type NewAdminKey } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
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
export function fillKeyHashes(options: OneTimeOptions & { masker: Masker }) {
  const { config, log, masker, clock = systemClock } = options
  return withDatabase(config, clock, async (stores) => {
    const kv = openKv(config, undefined)
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(kv.close)
    await kv.dependency.open()
    const { createPlatform } = await import('./platform.ts')
    const opened = { ...stores, kv: kv.opened() }
    // Never started: it serves nothing.
    const { platform } = cleanup.use(
      await createPlatform({
        ...{ ...opened, config: { ...config, gateway: true }, clock, log, masker, env: {} },
        identity: createIdentity({ config, stores: () => opened, clock }),
        ...{
          isShared: true,
          picksUp: false,
          ownUrl: () => config.public_url ?? 'http://localhost',
        },
        overloadedMs: () => undefined,
      }),
    )
    return (await platform.gateway?.groups.fillKeyHashes()) ?? 0
  })
}

async function withDatabase<T>(
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
