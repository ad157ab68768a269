import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTimeSlice } from '../../rpc/time-slice.ts'

/**
 * Stops requests whose callers have been told already. To close a connection takes a while: where
 * many calls end at once, all their callers come first.
 */
export interface LateStops {
  add(running: { stop(): void }): void
  /** Settles when nothing is left to stop. */
  done(): Promise<void>
}

export function createLateStops(): LateStops {
  const waiting: { stop(): void }[] = []
  let working: Promise<void> | undefined

  async function stopAll(): Promise<void> {
    await nextTurn()
    const slice = createTimeSlice()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      next.stop()
      if (slice.isOver()) await slice.next()
    }
    working = undefined
  }

  return {
    add(running) {
      waiting.push(running)
      working ??= stopAll()
    },
    async done() {
      await working
    },
  }
}
