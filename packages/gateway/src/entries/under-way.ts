import type { PeerMessage, Peers } from '../peers/index.ts'

/** Requests that can be cancelled, by who sent them and the id that they gave them. */
export interface UnderWay {
  /** Until `end`, a cancel aborts the signal; `outer` does, too. */
  begin(
    scope: string,
    id: string | number,
    outer: AbortSignal,
  ): { signal: AbortSignal; end(): void }
  /** Wherever the request is; what is no id of one is none. */
  cancel(scope: string, id: unknown): void
}

const kind = 'cancel'

export function createUnderWay(peers: Pick<Peers, 'tell' | 'on'>): UnderWay {
  const open = new Map<string, AbortController>()
  peers.on(kind, ({ scope, id }: PeerMessage) =>
    open.get(toKey(scope as string, id as string | number))?.abort(),
  )

  return {
    begin(scope, id, outer) {
      const key = toKey(scope, id)
      const controller = new AbortController()
      open.set(key, controller)
      const abort = () => controller.abort()
      outer.addEventListener('abort', abort, { once: true })
      if (outer.aborted) abort()
      return {
        signal: controller.signal,
        end() {
          outer.removeEventListener('abort', abort)
          if (open.get(key) === controller) open.delete(key)
        },
      }
    },
    cancel(scope, id) {
      if (typeof id !== 'string' && typeof id !== 'number') return
      const here = open.get(toKey(scope, id))
      if (here !== undefined) here.abort()
      else void peers.tell({ kind, scope, id })
    },
  }
}

/** The ids 1 and "1" are two. */
function toKey(scope: string, id: string | number): string {
  return `${scope} ${typeof id} ${id}`
}
