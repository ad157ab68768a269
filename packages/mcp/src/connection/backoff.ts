import type { Clock } from '@dataagent/guard'
import { type BackoffSpan, backoffDelay } from '../backoff-delay.ts'

export interface BackoffOptions extends BackoffSpan {
  clock: Clock
  random: () => number
}

/** Counts the attempts of one time of trouble and says how long to wait before each. */
export interface Backoff {
  /** The number of the attempt that is under way or comes next. */
  readonly attempt: number
  /** An attempt was successful. */
  opened(): void
  /** Counts a loss or a failed attempt; gives how long to wait before the next one. */
  failed(): number
  /**
   * Counts a loss that is no reason to wait; `false`, and nothing is counted, where there was such
   * a loss before in this time of trouble.
   */
  failedOnce(): boolean
  /** Begins anew, with an attempt at once. */
  reset(): void
}

/**
 * Creates the count. A time of trouble is over when a connection has held for five seconds, and
 * four times as long as was waited for it, `maxMs` at most: a server that dies right after each
 * start is waited for ever longer, though each start succeeds.
 */
export function createBackoff({ clock, random, ...span }: BackoffOptions): Backoff {
  let attempt = 1
  let isInTrouble = false
  let wentAtOnce = false
  let openedAt: number | undefined
  let waitedMs = 0

  return {
    get attempt() {
      return attempt
    },
    opened() {
      openedAt = clock.monotonic()
    },
    failed() {
      endTroubleOver()
      count()
      waitedMs = backoffDelay(attempt, span, random)
      return waitedMs
    },
    failedOnce() {
      endTroubleOver()
      if (wentAtOnce) return false
      count()
      wentAtOnce = true
      return true
    },
    reset() {
      attempt = 1
      isInTrouble = false
      wentAtOnce = false
      openedAt = undefined
    },
  }

  function count(): void {
    const isFirstLoss = openedAt !== undefined && !isInTrouble
    attempt = isFirstLoss ? 1 : attempt + 1
    isInTrouble = true
    openedAt = undefined
  }

  function endTroubleOver(): void {
    const steadyMs = Math.min(span.maxMs, Math.max(5_000, 4 * waitedMs))
    if (openedAt === undefined || clock.monotonic() - openedAt < steadyMs) return
    isInTrouble = false
    wentAtOnce = false
  }
}
