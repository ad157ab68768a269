import { cancelledError } from '../errors.ts'

/** Waits for `work`, but no longer than the caller does: then it rejects with `cancelled`. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await work
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(cancelledError(signal, true))
    signal.addEventListener('abort', onAbort, { signal: over.signal })
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}
