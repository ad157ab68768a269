/** Lets one through at a time, in the order they came. */
export interface Turnstile {
  /** Waits for one's turn; the returned function ends it. */
  enter(): Promise<() => void>
  pass<T>(work: () => Promise<T>): Promise<T>
}

export function createTurnstile(): Turnstile {
  let last: Promise<void> = Promise.resolve()

  async function enter() {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    return resolve
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
