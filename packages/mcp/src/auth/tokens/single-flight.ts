import { cancelledError } from '../../errors.ts'

/** Does the same thing once for all who want it at the same time. */
export interface SingleFlight {
  /**
   * Joins the work under way under `key`, or begins it. All who join get the same end. The signal
   * lets go of the waiting, not of the work: others may wait for it, and a refresh that was sent
   * must not be lost.
   */
  join<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createSingleFlight(): SingleFlight {
  const underWay = new Map<string, Promise<unknown>>()

  return {
    join<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) return Promise.reject(cancelledError(signal, false))
      const flight = (underWay.get(key) ?? begin(key, work)) as Promise<T>
      return signal ? abortable(flight, signal) : flight
    },
  }

  function begin(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const flight = work().finally(() => underWay.delete(key))
    underWay.set(key, flight)
    return flight
  }
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(cancelledError(signal, false))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
