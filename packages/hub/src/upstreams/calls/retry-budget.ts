import type { Clock } from '@dataagent/guard'

export interface RetryBudgetOptions {
  clock: Clock
  /** How many retries a call earns. Default 0.2. */
  perCall?: number | undefined
  /** How many there may be whatever the number of calls. Default 3. */
  perSecond?: number | undefined
}

/** Bounds what retries add to the load of a server in trouble. */
export interface RetryBudget {
  called(): void
  /** Whether one more retry fits; it is counted then. */
  take(): boolean
}

/** What is saved up in good times, at most. */
const savedMax = 10

export function createRetryBudget({
  clock,
  perCall = 0.2,
  perSecond = 3,
}: RetryBudgetOptions): RetryBudget {
  let left = savedMax
  let filledAt = clock.monotonic()

  return {
    called() {
      if (left < savedMax) left = Math.min(savedMax, left + perCall)
    },
    take() {
      const now = clock.monotonic()
      left = Math.min(savedMax, left + ((now - filledAt) / 1_000) * perSecond)
      filledAt = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
