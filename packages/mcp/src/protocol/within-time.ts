import type { Clock } from '@dataagent/guard'
import { cancelledError, timeoutError } from '../errors.ts'
import { createHold } from '../hold.ts'

export interface TimeLimit {
  /** What takes the time, for the error. */
  what: string
  ms: number
  clock: Clock
  signal: AbortSignal | undefined
}

/**
 * Does `work` with a signal that aborts when the time is over or the caller no longer waits. The
 * work must end then; what it fails with is told as `timeout` or `cancelled`. The process lives
 * as long.
 */
export async function withinTime<T>(
  { what, ms, clock, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw cancelledError(signal, false)
  const controller = new AbortController()
  const hold = createHold()
  let isLate = false
  const onAbort = () => controller.abort()
  const stopTimer = clock.after(ms, () => {
    isLate = true
    controller.abort()
  })
  signal?.addEventListener('abort', onAbort)
  hold.hold()
  try {
    return await work(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
    throw isLate ? timeoutError(what, ms, false) : cancelledError(signal, false)
  } finally {
    stopTimer()
    hold.close()
    signal?.removeEventListener('abort', onAbort)
  }
}
