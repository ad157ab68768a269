import { type Clock, systemClock } from '@dataagent/guard'

/** Runs as time does, and can be moved ahead. */
export interface MovingClock extends Clock {
  /** Moves both times on and runs the timers that fall due by it. */
  advance(ms: number): void
}

interface Timer {
  at: number
  run(): void
  cancel(): void
}

export function createMovingClock(): MovingClock {
  const timers = new Set<Timer>()
  let ahead = 0
  const monotonic = () => systemClock.monotonic() + ahead

  function end(timer: Timer): void {
    timer.cancel()
    timers.delete(timer)
  }

  return {
    now: () => systemClock.now() + ahead,
    monotonic,
    after(ms, run) {
      const timer: Timer = { at: monotonic() + ms, run, cancel: () => {} }
      timer.cancel = systemClock.after(ms, () => {
        timers.delete(timer)
        run()
      })
      timers.add(timer)
      return () => end(timer)
    },
    advance(ms) {
      ahead += ms
      const due = [...timers].filter(({ at }) => at <= monotonic()).sort((a, b) => a.at - b.at)
      for (const timer of due) {
        end(timer)
        timer.run()
      }
    },
  }
}
