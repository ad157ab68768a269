import type { Clock } from './clock.ts'

/** Resolves after `ms`, or at once when `signal` aborts; leaves no timer and no listener behind. */
export async function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const cancel = clock.after(ms, end)
  signal?.addEventListener('abort', end, { once: true })
  await promise
  cancel()
  signal?.removeEventListener('abort', end)
}
