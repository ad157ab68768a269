/**
 * Runs `work` one at a time. Who asks while it runs shares the next run with all who do so: what
 * they ask for may have happened after the present one began.
 */
export function createSingleFlight(work: () => Promise<void>) {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function run(): Promise<void> {
    if (running === undefined) {
      running = work().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running.catch(() => {}).then(runNext)
    return next
  }

  function runNext(): Promise<void> {
    next = undefined
    return run()
  }

  return {
    run,
    /** Resolves when nothing runs. */
    async idle(): Promise<void> {
      while (running !== undefined) await (next ?? running).catch(() => {})
    },
  }
}
