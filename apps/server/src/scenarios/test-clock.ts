import { type Clock, systemClock } from '@dataagent/guard'

/** A clock that runs as time does and can be moved on: for what real sockets wait for. */
export interface MovableClock extends Clock {
  /** Makes it `ms` later; timers that have fallen due run in their order, soon. */
  advance(ms: number): void
  /** How many are armed. */
  timers(): number
}

interface Timer {
  at: number
  run: () => void
  cancel: () => void
}

export function createMovableClock(): MovableClock {
  const timers = new Set<Timer>()
  let offset = 0
  const monotonic = () => systemClock.monotonic() + offset

  function arm(timer: Timer): void {
    timer.cancel = systemClock.after(timer.at - monotonic(), () => {
      timers.delete(timer)
      timer.run()
    })
  }

  return {
    now: () => systemClock.now() + offset,
    monotonic,
    after(ms, run) {
      const timer: Timer = { at: monotonic() + ms, run, cancel: () => {} }
      timers.add(timer)
      arm(timer)
      return () => {
        timers.delete(timer)
        timer.cancel()
      }
    },
    timers: () => timers.size,
    advance(ms) {
      offset += ms
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        timer.cancel()
        arm(timer)
      }
    },
  }
}
