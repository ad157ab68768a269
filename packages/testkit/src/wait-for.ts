import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@dataagent/schema'

export interface WaitForOptions {
  /** Default 15000: what is waited for may take its time on a busy machine. */
  timeoutMs?: number
  /** How long to wait between two looks; default 10. */
  intervalMs?: number
  /** What was waited for, for the message. */
  what?: string
}

/**
 * Asks `condition` until it gives something truthy, and returns that. A throw counts as "not yet";
 * the last one is the cause of the `timeout` error.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 15_000, intervalMs = 10, what = condition.toString() }: WaitForOptions = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs
  let cause: unknown
  do {
    try {
      const found = await condition()
      if (found) return found
      cause = undefined
    } catch (error) {
      cause = error
    }
    await sleep(intervalMs)
  } while (performance.now() < deadline)
  throw new AppError('timeout', `Not so after ${timeoutMs} ms: ${what}`, { cause })
}
