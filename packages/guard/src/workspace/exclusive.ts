/**
 * Runs `work` while nobody else runs work under the same key. The default holds within one process;
 * several processes that change one workspace need one that holds across them (a lease), or else
 * two changes within the same microseconds may both believe they were first. It passes on what
 * `work` returns or throws.
 */
export type Exclusive = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * An Exclusive for one process: first come, first served. Share one between workspaces opened on
 * the same root.
 */
export function createExclusive(): Exclusive {
  const tails = new Map<string, Promise<unknown>>()

  return async (key, work) => {
    const mine = (tails.get(key) ?? Promise.resolve()).then(work)
    const tail = mine.catch(() => {})
    tails.set(key, tail)
    try {
      return await mine
    } finally {
      if (tails.get(key) === tail) tails.delete(key)
    }
  }
}
