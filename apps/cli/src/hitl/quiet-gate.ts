import type { Clock } from '@dataagent/guard'

/** How long nothing may have been typed before a key counts. */
export const quietMs = 300

/**
 * Holds back keys that were meant for something else: those of the moment in which a question
 * appears, and what follows them without a pause.
 */
export interface QuietGate {
  /** Whether a key that comes now does not count. */
  isEarly(): boolean
}

export function createQuietGate(clock: Pick<Clock, 'monotonic'>): QuietGate {
  let opensAt = clock.monotonic() + quietMs
  return {
    isEarly() {
      const now = clock.monotonic()
      if (now >= opensAt) return false
      opensAt = now + quietMs
      return true
    },
  }
}
