export interface StopSignals {
  /** Ends the process in good order; called once. */
  onStop(signal: NodeJS.Signals): void
  /** Ends it at once: the user has pressed Ctrl-C again. */
  onForce(): void
}

/**
 * Listens for SIGTERM and SIGINT. A Ctrl-C reaches all processes of the terminal: within a second
 * it counts once.
 */
export function listenForStop({ onStop, onForce }: StopSignals): void {
  let stoppedAt: number | undefined
  const handle = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      onStop(signal)
    } else if (signal === 'SIGINT' && performance.now() - stoppedAt > 500) onForce()
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}
