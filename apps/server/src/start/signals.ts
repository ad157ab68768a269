export interface StopSignals {
  /** Ends the process in good order; called once. */
  onStop(signal: NodeJS.Signals): void
  /** Ends it at once: the user has pressed Ctrl-C again. */
  onForce(): void
}

/**
 * Listens for SIGTERM, SIGINT and SIGHUP (the terminal was closed). A Ctrl-C may arrive twice, from
 * the terminal and from the program that started us: within half a second it counts once.
 */
export function listenForStop({ onStop, onForce }: StopSignals): void {
  let stoppedAt: number | undefined
  const handle = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      onStop(signal)
    } else if (signal === 'SIGINT' && performance.now() - stoppedAt > 500) onForce()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, handle)
}
