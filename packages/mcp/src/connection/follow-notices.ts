import type { Clock } from '@dataagent/guard'

export interface FollowNoticesOptions {
  /** Does what the notices ask for. */
  run(): Promise<unknown>
  /** How long to wait before run n of those that failed one after the other. */
  delayBefore(n: number): number
  onFailure(error: unknown): void
  clock: Clock
}

/** However many notices come, so long is the rest between two runs. */
const restMs = 1_000

/**
 * Follows notices that say no more than "again": the first is followed at once, and all that come
 * before or during the rest after a run by one more. A run that fails is tried again.
 */
export function followNotices({ run, delayBefore, onFailure, clock }: FollowNoticesOptions) {
  let cancelTimer: (() => void) | undefined
  let isRunning = false
  let isAskedAgain = false
  let isStopped = false
  let failures = 0
  let restsUntil = Number.NEGATIVE_INFINITY

  return {
    noticed(): void {
      if (isRunning) isAskedAgain = true
      else plan(restsUntil - clock.monotonic())
    },
    stop(): void {
      isStopped = true
      cancelTimer?.()
    },
  }

  function plan(ms: number): void {
    if (isStopped || cancelTimer !== undefined) return
    cancelTimer = clock.after(Math.max(0, ms), () => void follow())
  }

  async function follow(): Promise<void> {
    cancelTimer = undefined
    isRunning = true
    isAskedAgain = false
    await run().then(onDone, onFailed)
    isRunning = false
    restsUntil = clock.monotonic() + restMs
    if (failures > 0) plan(delayBefore(failures))
    else if (isAskedAgain) plan(restMs)
  }

  function onDone(): void {
    failures = 0
  }

  function onFailed(error: unknown): void {
    failures += 1
    if (!isStopped) onFailure(error)
  }
}
