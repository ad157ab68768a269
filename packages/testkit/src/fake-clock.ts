import { setImmediate as nextLoop } from 'node:timers/promises'
import type { Clock } from '@dataagent/guard'

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves both times on by `ms` and runs the timers that fall due, in order, each at its own
   * moment.
   */
  advance(ms: number): void
  /**
   * As `advance`, but lets promises and I/O settle after each timer, so that what they schedule is
   * also run.
   */
  advanceAsync(ms: number): Promise<void>
  /** Moves the wall time alone, as an administrator or NTP would; no timer runs. */
  jump(ms: number): void
  /** How many timers wait. */
  pending(): number
}

interface Timer {
  at: number
  run: () => void
}

/** Creates a fake clock whose wall time begins at `now` (default 2030-01-01T00:00:00Z). */
export function createFakeClock({ now = Date.UTC(2030, 0, 1) } = {}): FakeClock {
  const timers = new Set<Timer>()
  let wallOffset = now
  let elapsed = 0

  function runNext(until: number): boolean {
    const timer = earliest(timers, until)
    if (timer === undefined) {
      elapsed = until
      return false
    }
    timers.delete(timer)
    elapsed = Math.max(elapsed, timer.at)
    timer.run()
    return true
  }

  return {
    now: () => wallOffset + elapsed,
    monotonic: () => elapsed,
    after(ms, run) {
      const timer = { at: elapsed + Math.max(0, ms), run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const until = elapsed + ms
      while (runNext(until));
    },
    async advanceAsync(ms) {
      const until = elapsed + ms
      await nextLoop()
      do {
        while (runNext(until)) await nextLoop()
        await nextLoop()
      } while (earliest(timers, until) !== undefined)
    },
    jump(ms) {
      wallOffset += ms
    },
    pending: () => timers.size,
  }
}

/**
 * The timer due first by `until`; of those due together the one set first, as a Set keeps insertion
 * order.
 */
function earliest(timers: Set<Timer>, until: number): Timer | undefined {
  let found: Timer | undefined
  for (const timer of timers) {
    if (timer.at <= until && (found === undefined || timer.at < found.at)) found = timer
  }
  return found
}
