import { cancelledError } from './errors.ts'

export interface Patience {
  signal: AbortSignal | undefined
  /** What the error says: whether the server may have acted on what was waited for. */
  mayHaveRun: boolean
}

/** As `work`, but rejects with `cancelled` once `signal` aborts; what is waited for goes on. */
export async function untilAborted<T>(
  work: Promise<T>,
  { signal, mayHaveRun }: Patience,
): Promise<T> {
  if (signal === undefined) return await work
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(cancelledError(signal, mayHaveRun))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
