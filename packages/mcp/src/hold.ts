/** The longest that Node.js waits; it begins anew by itself. */
const periodMs = 2 ** 31 - 1

/** Keeps the process alive while something is awaited that only timers of a clock would end. */
export interface Hold {
  /** Holds the process until `release` was called as often as `hold`. */
  hold(): void
  release(): void
  /** Lets go for good: nothing holds the process any more. */
  close(): void
}

/**
 * Creates a hold that holds nothing yet. Its one timer is made at the first use and then only
 * counted in and out of the event loop, so that holding costs a call next to nothing.
 */
export function createHold(): Hold {
  let timer: NodeJS.Timeout | undefined
  let count = 0
  let isClosed = false

  return {
    hold() {
      if (isClosed) return
      count += 1
      if (count === 1) timer = timer?.ref() ?? setInterval(doNothing, periodMs)
    },
    release() {
      if (isClosed || count === 0) return
      count -= 1
      if (count === 0) timer?.unref()
    },
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}

function doNothing(): void {}
