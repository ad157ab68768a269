import type { Clock } from '@dataagent/guard'

/** Resolves after `ms`, or at once when `signal` aborts; leaves nothing behind. */
export function wait(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  signal?.addEventListener('abort', end, { once: true })
  return promise.finally(() => signal?.removeEventListener('abort', end))

  function end(): void {
    cancel()
    resolve()
  }
}
