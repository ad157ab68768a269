import type { Clock } from '@dataagent/guard'

/** Something that is due after a time in which it was not paused. */
export interface PausableTimer {
  /** Time does not count until `resume` was called as often. */
  pause(): void
  resume(): void
  cancel(): void
}

export function createPausableTimer(clock: Clock, ms: number, onDue: () => void): PausableTimer {
  let pauses = 0
  let leftMs = ms
  let begun = clock.monotonic()
  let isOver = false
  let cancel = clock.after(ms, onDue)

  return {
    pause() {
      pauses += 1
      if (pauses > 1) return
      cancel()
      leftMs -= clock.monotonic() - begun
    },
    resume() {
      pauses -= 1
      if (pauses > 0 || isOver) return
      begun = clock.monotonic()
      cancel = clock.after(Math.max(0, leftMs), onDue)
    },
    cancel() {
      isOver = true
      cancel()
    },
  }
}
