/** How long the event loop is held at the most, in milliseconds of this thread's own work. */
export interface LoopWatch extends Disposable {
  worstMs(): number
}

/** Watches from now on. Time in which the machine did other things does not count. */
export function watchLoop(): LoopWatch {
  let worst = 0
  let last = usedMs()
  let immediate = setImmediate(look)

  function look(): void {
    const now = usedMs()
    worst = Math.max(worst, now - last)
    last = now
    immediate = setImmediate(look)
  }

  return {
    worstMs: () => Math.max(worst, usedMs() - last),
    [Symbol.dispose]: () => clearImmediate(immediate),
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
