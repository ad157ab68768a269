import { cancelledError } from '../errors.ts'

/** As `promise`, but rejects with `cancelled` once `signal` aborts; what is waited for goes on. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(cancelledError(signal, false))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
