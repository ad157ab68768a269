import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@dataagent/guard'
import type { EraVerdict } from '../client/contract.ts'

export interface VerdictMemoryOptions {
  remembered: EraVerdict | undefined
  maxAgeMs: number
  clock: Clock
}

/** Remembers how a server wants to be spoken to, for as long as that is worth believing. */
export interface VerdictMemory {
  /** What spares the next opening the question. */
  recall(): EraVerdict | undefined
  /** Whether it is news. */
  learn(verdict: EraVerdict): boolean
}

/** Creates the memory. A verdict from the future, by a clock that was set back, is not believed. */
export function createVerdictMemory({
  remembered,
  maxAgeMs,
  clock,
}: VerdictMemoryOptions): VerdictMemory {
  let known = remembered

  return {
    recall() {
      if (known === undefined) return undefined
      const age = clock.now() - known.decided_at
      return age >= 0 && age < maxAgeMs ? known : undefined
    },
    learn(verdict) {
      const isNews = !isDeepStrictEqual(verdict, known)
      known = verdict
      return isNews
    },
  }
}
