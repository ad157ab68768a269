import { AppError } from '@dataagent/schema'
import type { IpcEnd, Kv } from '@dataagent/store/kv'
import type { Config } from '../config/index.ts'
import type { Dependency } from '../deps/index.ts'

/** A connection that is only just being made is not away yet. */
const patienceMs = 2_000

/** Redis, the KV that the parent serves, or this process's own. */
export function openKv(config: Config, parent: IpcEnd | undefined) {
  const first = Promise.withResolvers<void>()
  let kv: Kv | undefined

  async function check(): Promise<void> {
    if (kv?.state.status === 'away') throw new AppError('store_unavailable', kv.state.reason)
  }

  async function open(): Promise<void> {
    kv ??= await createKv(config, parent)
    first.resolve()
    await kv.ready(AbortSignal.timeout(patienceMs)).catch(check)
  }

  return {
    dependency: { name: 'key-value store', open, check } satisfies Dependency,
    whenOpened: first.promise,
    /** Throws `store_unavailable` until it was opened. */
    opened(): Kv {
      if (kv) return kv
      throw new AppError('store_unavailable', 'The key-value store has not answered yet.')
    },
    close: async () => kv?.[Symbol.asyncDispose](),
  }
}

async function createKv({ redis_url }: Config, parent: IpcEnd | undefined): Promise<Kv> {
  const { connectKv, createMemoryKv, createRedisKv } = await import('@dataagent/store/kv')
  if (redis_url) return createRedisKv({ url: redis_url.reveal(), prefix: 'dataagent:' })
  return parent ? connectKv({ parent }) : createMemoryKv()
}
