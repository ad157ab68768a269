import type { Clock } from '@dataagent/guard'

/**
 * How many requests may be repeated, over all that share it: in an outage every request fails, and
 * repeating each would multiply the load just when it hurts.
 */
export interface RetryBudget {
  /** Takes one repetition; false where none is left. */
  take(): boolean
  /** A request went well: a part of a repetition is earned. */
  earn(): void
}

export interface RetryBudgetOptions {
  clock: Clock
  /** Default 10. */
  capacity?: number | undefined
  /** What a good answer earns; default 0.1: at most a tenth more requests. */
  perAnswer?: number | undefined
  /** What comes back by itself, so that a quiet time does not end all repetition. Default 0.1. */
  perSecond?: number | undefined
}

/** A full budget. */
export function createRetryBudget(options: RetryBudgetOptions): RetryBudget {
  const { clock, capacity = 10, perAnswer = 0.1, perSecond = 0.1 } = options
  let left = capacity
  let since = clock.monotonic()

  function refill(more: number): void {
    const now = clock.monotonic()
    left = Math.min(capacity, left + ((now - since) / 1_000) * perSecond + more)
    since = now
  }

  return {
    take() {
      refill(0)
      if (left < 1) return false
      left -= 1
      return true
    },
    earn: () => refill(perAnswer),
  }
}
