import { AppError } from '@dataagent/schema'

/** Lets one through at a time, in the order they came; who has waited too long is refused. */
export interface Turnstile {
  /** Waits for one's turn; the returned function ends it. Throws `store_unavailable`. */
  enter(): Promise<() => void>
  pass<T>(work: () => Promise<T>): Promise<T>
}

export function createTurnstile(maxWaitMs = 10_000): Turnstile {
  let last: Promise<void> = Promise.resolve()

  async function enter() {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    const since = performance.now()
    await before
    if (performance.now() - since <= maxWaitMs) return resolve
    resolve()
    throw new AppError('store_unavailable', 'the sqlite database is busy; try again')
  }

  return {
    enter,
    async pass(work) {
      const leave = await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
