import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often it looks. What lies between two looks counts as delay beyond this. */
const everyMs = 10

export interface LoopDelay extends Disposable {
  /** In milliseconds; 0 where it has not looked yet. */
  p99(): number
}

/**
 * Measures how late the event loop of this process is, until it is disposed of. An asker that waits
 * for a processor uses little of it, and yet sees every answer late.
 */
export function watchLoopDelay(): LoopDelay {
  const delays = monitorEventLoopDelay({ resolution: everyMs })
  delays.enable()
  return {
    p99: () => (delays.count === 0 ? 0 : Math.max(0, delays.percentile(99) / 1e6 - everyMs)),
    [Symbol.dispose]: () => void delays.disable(),
  }
}
