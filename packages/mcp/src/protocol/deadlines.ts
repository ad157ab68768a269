import type { Clock } from '@dataagent/guard'

/** Something that may take so long and no longer. */
export interface Deadline {
  /** When it expires, on the clock's monotonic time; `Infinity` while it is paused. */
  due: number
  /** Called once, when it is due. Must not throw. */
  expire(): void
}

/** The deadlines of one client, on a single timer. */
export interface Deadlines {
  add(deadline: Deadline): void
  remove(deadline: Deadline): void
  /** To be called when `due` of a deadline was moved to an earlier time. */
  moved(deadline: Deadline): void
  /** Stops the timer; nothing expires any more. */
  close(): void
}

/**
 * One timer serves all: it is set for the earliest deadline and left alone when that one is met, so
 * that a call that is answered costs no timer. It fires once in vain at most, and then is set for
 * what is left.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const waiting = new Set<Deadline>()
  let timerDue = Number.POSITIVE_INFINITY
  let cancelTimer: (() => void) | undefined

  return {
    add(deadline) {
      waiting.add(deadline)
      setTimer(deadline.due)
    },
    remove(deadline) {
      waiting.delete(deadline)
    },
    moved(deadline) {
      if (waiting.has(deadline)) setTimer(deadline.due)
    },
    close() {
      waiting.clear()
      stopTimer()
    },
  }

  function setTimer(due: number): void {
    if (due >= timerDue) return
    stopTimer()
    timerDue = due
    cancelTimer = clock.after(Math.max(0, due - clock.monotonic()), onTimer)
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
    timerDue = Number.POSITIVE_INFINITY
  }

  function onTimer(): void {
    stopTimer()
    const now = clock.monotonic()
    let next = Number.POSITIVE_INFINITY
    for (const deadline of waiting) {
      if (deadline.due <= now) {
        waiting.delete(deadline)
        deadline.expire()
      } else if (deadline.due < next) next = deadline.due
    }
    setTimer(next)
  }
}
