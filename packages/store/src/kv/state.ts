import { AppError } from '@dataagent/schema'
import type { Kv, KvState } from './kv.ts'

/** The state of a store and those who wait for it. */
export interface StateCell extends Pick<Kv, 'onStateChange' | 'ready'> {
  readonly current: KvState
  set(next: KvState): void
}

export function createStateCell(first: KvState): StateCell {
  const handlers = new Set<(state: KvState) => void>()
  let current = first

  function onStateChange(handler: (state: KvState) => void): () => void {
    const own = (state: KvState) => handler(state)
    handlers.add(own)
    return () => handlers.delete(own)
  }

  return {
    get current() {
      return current
    },
    set(next) {
      if (current.status === 'closed' || isSame(current, next)) return
      current = next
      for (const handler of [...handlers]) handler(next)
    },
    onStateChange,
    ready: (signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const look = (state: KvState): void => {
          if (state.status === 'away') return
          stop()
          state.status === 'ready' ? resolve() : reject(awayError(closedReason))
        }
        const onAbort = (): void => {
          stop()
          reject(signal?.reason)
        }
        const stopListening = onStateChange(look)
        const stop = (): void => {
          stopListening()
          signal?.removeEventListener('abort', onAbort)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        look(current)
      }),
  }
}

export const closedReason = 'it was closed'

/** The one error of a store that does not answer. `reason` must hold no secret. */
export function awayError(reason: string, cause?: unknown): AppError {
  const data = { store: 'key-value' }
  return new AppError('store_unavailable', `The key-value store is not available: ${reason}.`, {
    ...{ data, ...(cause === undefined ? {} : { cause }) },
  })
}

function isSame(a: KvState, b: KvState): boolean {
  return a.status === b.status && (a.status !== 'away' || a.reason === (b as typeof a).reason)
}
