import type { Clock } from '@dataagent/guard'
import type { AppError } from '@dataagent/schema'
import type { Pool, Pooled } from './pool.ts'
import { withDeadline } from './running-query.ts'

/** Runs statements of ours on a connection, which is given up where one fails. */
export function createWithLink<T extends Pooled>(needs: {
  pool: Pool<T>
  describeMs: number
  clock: Clock
  toError(error: unknown): AppError
}) {
  const { pool, describeMs: timeoutMs, clock } = needs
  return async <R>(asked: AbortSignal | undefined, work: (link: T) => Promise<R>): Promise<R> =>
    await withDeadline({ signal: asked, timeoutMs, clock }, async (signal) => {
      const lease = await pool.take(signal)
      const giveUp = () => lease.release({ spent: true })
      const onAbort = () => void giveUp()
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        const answer = await work(lease.held)
        await lease.release({ spent: false })
        return answer
      } catch (error) {
        await giveUp()
        throw needs.toError(error)
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    })
}
