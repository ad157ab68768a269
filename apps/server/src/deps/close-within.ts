import type { Clock } from '@dataagent/guard'
import type { FastifyInstance } from 'fastify'

/**
 * Closes the server: requests under way may finish within `graceMs`, then their connections are
 * cut.
 */
export async function closeWithin(
  app: FastifyInstance,
  clock: Clock,
  graceMs: number,
): Promise<void> {
  const closed = app.close()
  // A connection that was busy becomes idle once its answer is sent; nobody else closes it then.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const cancelCut = clock.after(graceMs, () => app.server.closeAllConnections())
  try {
    await closed
  } finally {
    clearInterval(sweep)
    cancelCut()
  }
}

/** Resolves after `ms`, at once for 0. */
export function pause(clock: Clock, ms: number): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve) => void clock.after(ms, resolve))
}
