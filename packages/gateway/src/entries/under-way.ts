import { type LimitVerdict, withinLimits } from '../limits/index.ts'
import type { PeerMessage, Peers } from '../peers/index.ts'

/** Requests that can be cancelled, by who sent them and the id that they gave them. */
export interface UnderWay {
  /** Until `end`, a cancel aborts the signal; `outer` does, too. */
  begin(
    scope: string,
    id: string | number,
    outer: AbortSignal,
  ): { signal: AbortSignal; end(): void }
  /**
   * What is no id of a request is none. One that is not here is looked for in every other process,
   * where `mayTell` is given and says so. Gives what that said.
   */
  cancel(scope: string, id: unknown, mayTell?: MayTell): Promise<LimitVerdict>
}

/** Asked before other processes hear of a message. Never rejects. */
export type MayTell = () => Promise<LimitVerdict>

const kind = 'cancel'
/** Every process is sent it. */
const longestTold = 1_024

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
    async cancel(scope, id, mayTell) {
      if (typeof id !== 'string' && typeof id !== 'number') return withinLimits
      const here = open.get(toKey(scope, id))
      here?.abort()
      const isTold = here === undefined && String(id).length <= longestTold
      if (mayTell === undefined || !isTold) return withinLimits
      const verdict = await mayTell()
      if (verdict.status === 'ok') void peers.tell({ kind, scope, id })
      return verdict
    },
  }
}

/** The ids 1 and "1" are two. */
function toKey(scope: string, id: string | number): string {
  return `${scope} ${typeof id} ${id}`
}
