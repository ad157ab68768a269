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
  /** For the next opening: what spares it the question. */
  recall(): EraVerdict | undefined
  /** Of that opening: what it found. Gives it back where it is news. */
  learn(verdict: EraVerdict): EraVerdict | undefined
}

/** Creates the memory. A verdict from the future, by a clock that was set back, is not believed. */
export function createVerdictMemory({
  remembered,
  maxAgeMs,
  clock,
}: VerdictMemoryOptions): VerdictMemory {
  let known = remembered
  let recalled: EraVerdict | undefined

  return {
    recall() {
      const age = known === undefined ? Number.NaN : clock.now() - known.decided_at
      recalled = age >= 0 && age < maxAgeMs ? known : undefined
      return recalled
    },
    learn(verdict) {
      // What was believed and not asked is as old as it was.
      const { decided_at } = recalled?.era === verdict.era ? recalled : verdict
      const found = { ...verdict, decided_at }
      if (isDeepStrictEqual(found, known)) return undefined
      known = found
      return found
    },
  }
}
