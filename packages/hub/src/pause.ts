import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@dataagent/guard'

/** Longer than that the loop is not held. */
const sliceMs = 8

/** Lets others in between two pieces of a long work. */
export interface Pause {
  /** Whether `ms` have passed since the last rest; a slice, where nothing is said. */
  isDue(ms?: number): boolean
  rest(): Promise<void>
}

export function createPause(clock: Clock): Pause {
  let since = clock.monotonic()
  return {
    isDue: (ms = sliceMs) => clock.monotonic() - since > ms,
    async rest() {
      await setImmediate()
      since = clock.monotonic()
    },
  }
}
