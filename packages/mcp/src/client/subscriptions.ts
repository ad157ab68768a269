import { cancelledError } from '../errors.ts'
import { untilAborted } from '../until-aborted.ts'
import type { RequestOptions } from './contract.ts'

export interface SubscriptionsOptions {
  /** Asks the server to tell of a resource; called for the first who wants to know. */
  add(uri: string, timeoutMs: number | undefined): Promise<void>
  /** Called when nobody wants to know any more. */
  remove(uri: string): Promise<void>
}

/** Who is told of which resource: the server is asked once for all who want to know. */
export interface Subscriptions {
  /** Resolves when the server has agreed, with a function that takes it back. */
  subscribe(uri: string, options?: RequestOptions): Promise<() => Promise<void>>
}

interface Shared {
  count: number
  added: Promise<void>
}

export function createSubscriptions({ add, remove }: SubscriptionsOptions): Subscriptions {
  const shared = new Map<string, Shared>()

  return {
    async subscribe(uri, { signal, timeoutMs } = {}) {
      if (signal?.aborted) throw cancelledError(signal, false)
      const one = shared.get(uri) ?? { count: 0, added: add(uri, timeoutMs) }
      one.count += 1
      shared.set(uri, one)
      const takeBack = once(() => leave(uri, one))
      try {
        await untilAborted(one.added, { signal, mayHaveRun: true })
      } catch (error) {
        takeBack().catch(() => undefined)
        throw error
      }
      return takeBack
    },
  }

  /** The last one out tells the server, unless it never agreed. */
  async function leave(uri: string, one: Shared): Promise<void> {
    one.count -= 1
    if (one.count > 0) return
    if (shared.get(uri) === one) shared.delete(uri)
    const isAdded = await one.added.then(
      () => true,
      () => false,
    )
    if (isAdded && !shared.has(uri)) await remove(uri)
  }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run()
    return running
  }
}
