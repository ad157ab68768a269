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

/** Node.js fires a timer of more than this at once. */
const longestSlice = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => afterInSlices(ms, longestSlice, run),
}

/** As `after`, by timers of at most `sliceMs` one after the other. */
export function afterInSlices(ms: number, sliceMs: number, run: () => void): () => void {
  const due = performance.now() + ms
  let timer = startSlice()
  return () => clearTimeout(timer)

  function startSlice(): NodeJS.Timeout {
    const left = due - performance.now()
    if (left > sliceMs) return setTimeout(goOn, sliceMs).unref()
    return setTimeout(run, Math.max(0, left)).unref()
  }

  function goOn(): void {
    timer = startSlice()
  }
}
