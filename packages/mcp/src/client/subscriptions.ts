import { cancelledError } from '../errors.ts'
import type { RequestOptions } from './contract.ts'

export interface SubscriptionsOptions {
  /** Asks the server to tell of a resource; called for the first who wants to know. */
  add(uri: string, options: RequestOptions | undefined): Promise<void>
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
    async subscribe(uri, options) {
      const signal = options?.signal
      if (signal?.aborted) throw cancelledError(signal, false)
      const one = shared.get(uri) ?? { count: 0, added: add(uri, options) }
      one.count += 1
      shared.set(uri, one)
      try {
        await one.added
      } catch (error) {
        if (shared.get(uri) === one) shared.delete(uri)
        throw error
      }
      return takeBackOnce(uri, one)
    },
  }

  function takeBackOnce(uri: string, one: Shared): () => Promise<void> {
    let isTaken = false
    return async () => {
      if (isTaken) return
      isTaken = true
      one.count -= 1
      if (one.count > 0 || shared.get(uri) !== one) return
      shared.delete(uri)
      await remove(uri)
    }
  }
}
