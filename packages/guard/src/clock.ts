/** Time as the code sees it. Tests pass a fake one. */
export interface Clock {
  /** Wall time in milliseconds since 1970: for stamps. May jump. */
  now(): number
  /** Milliseconds that only rise: for timeouts, backoff and limits. */
  monotonic(): number
  /**
   * Calls `run` once, `ms` from now; the returned function cancels it. Does not keep the process
   * alive.
   */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
