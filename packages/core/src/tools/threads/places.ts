/** Lets so many in at once; the others wait in the order they came. */
export interface Places {
  within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

export function createPlaces(count: number): Places {
  const waiting: (() => void)[] = []
  let free = count

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free--
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      const at = waiting.indexOf(resolve)
      if (at < 0) return
      waiting.splice(at, 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', onAbort))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }

  return {
    async within(signal, work) {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
