import { setImmediate as nextTurn } from 'node:timers/promises'

/** Ten messages of ten servers may be read at the same time: together they stay under 50 ms. */
const sliceMs = 4

/** Turns long work into short stretches, between which everything else goes on. */
export interface TimeSlice {
  /** Whether the work has gone on long enough. */
  isOver(): boolean
  /** Lets other work be done; then a new slice begins. */
  next(): Promise<void>
}

/** By the computer's own time, never a clock of a test: it is about how long the thread is held. */
export function createTimeSlice(): TimeSlice {
  let until = performance.now() + sliceMs
  return {
    isOver: () => performance.now() >= until,
    async next() {
      await nextTurn()
      until = performance.now() + sliceMs
    },
  }
}
