import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Kv } from '@dataagent/store/kv'
import type { Config } from '../config/index.ts'
import type { Dependency } from '../deps/index.ts'
import type { Logger } from '../log/index.ts'
import type { Platform } from '../platform/index.ts'
import type { OpenedDatabase } from './database.ts'
import type { OpenPlatform, PlatformOptions } from './platform.ts'

export interface OpenPlatformOptions
  extends Pick<
    PlatformOptions,
    'masker' | 'metrics' | 'isShared' | 'terminal' | 'env' | 'ownUrl' | 'overloadedMs' | 'identity'
  > {
  config: Config
  clock: Clock
  log: Logger
  database: { whenOpened: Promise<void>; opened(): OpenedDatabase }
  kv: { whenOpened: Promise<void>; opened(): Kv }
  /** Called when it has started for the first time. */
  onStarted(platform: Platform): void
}

/** The platform over these stores: built, in the background, once they have been there. */
export function openPlatform(options: OpenPlatformOptions) {
  const { database, kv, onStarted } = options
  let held: OpenPlatform | undefined
  let isStarted = false
  let isClosed = false

  async function open(): Promise<void> {
    await Promise.all([database.whenOpened, kv.whenOpened])
    const stores = database.opened()
    const given = { ...options, ...stores, kv: kv.opened() }
    const { createPlatform } = await import('./platform.ts')
    if (isClosed) throw new AppError('store_unavailable', 'The server is stopping.')
    held ??= await createPlatform(given)
    if (isClosed) return held[Symbol.asyncDispose]()
    await held.start()
    isStarted = true
    onStarted(held.platform)
  }

  return {
    dependency: { name: 'platform', open, check: async () => {} } satisfies Dependency,
    /** Throws `store_unavailable` until it has started. */
    platform(): Platform {
      if (held && isStarted) return held.platform
      throw new AppError('store_unavailable', 'The server is starting: try again in a moment.')
    },
    stop: async (graceMs: number) => held?.stop(graceMs),
    handOver: async (ms: number) => held?.handOver(ms),
    async close(): Promise<void> {
      isClosed = true
      await held?.[Symbol.asyncDispose]()
    },
  }
}
