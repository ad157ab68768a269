import type { Clock } from '@dataagent/guard'

/**
 * What `work` gives. Rejects with the signal's reason where it has given nothing `graceMs` after
 * the signal: code that does not hear it is left to itself.
 */
export async function endingWith<T>(
  signal: AbortSignal,
  { clock, graceMs }: { clock: Clock; graceMs: number },
  work: Promise<T>,
): Promise<T> {
  const left = Promise.withResolvers<never>()
  let cancel = () => {}
  const onAbort = () => {
    cancel = clock.after(graceMs, () => left.reject(signal.reason))
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, left.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
    cancel()
  }
}
