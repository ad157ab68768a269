import type { Clock } from '@dataagent/guard'

/** What a wait ends with that has taken as long as it may. */
export const outOfPatience = Symbol('out of patience')

/** How long to wait: `signal` ends when it is over. */
export interface Patience extends Disposable {
  readonly signal: AbortSignal
}

/** A signal that ends with the caller's, or after `ms`. */
export function createPatience(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
): Patience {
  const patience = new AbortController()
  const leave = () => patience.abort(signal?.reason)
  const cancelTimer = clock.after(ms, () => patience.abort(outOfPatience))
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  return {
    signal: patience.signal,
    [Symbol.dispose]() {
      cancelTimer()
      signal?.removeEventListener('abort', leave)
    },
  }
}
