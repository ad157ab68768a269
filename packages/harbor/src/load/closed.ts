import { wait } from '@dataagent/guard'
import type { Load } from '@dataagent/schema'
import { createNumbers } from './numbers.ts'
import type { LoadOptions } from './run-load.ts'

/**
 * So many users, each of whom asks again as soon as they are answered. While a server stalls they
 * ask nothing: it is the answer to "how much can so many people get done", not to "how long does
 * one wait".
 */
export async function runClosed(
  load: Extract<Load, { mode: 'closed' }>,
  { count, clock, signal, ask }: LoadOptions,
): Promise<void> {
  const start = clock.monotonic()
  const numbers = createNumbers({ load, count })
  const users = Math.min(load.concurrency, numbers.most)
  // Who has not come in when all is asked need not come.
  const over = new AbortController()
  const end = () => over.abort()

  async function beUser(user: number): Promise<void> {
    let planned = start + (user / users) * load.ramp_seconds * 1_000
    if (planned > clock.monotonic()) await wait(clock, planned - clock.monotonic(), over.signal)
    while (!over.signal.aborted) {
      const number = numbers.take(planned - start)
      if (number === undefined) return end()
      await ask({ ...number, planned })
      planned = clock.monotonic()
    }
  }

  if (signal.aborted) return
  signal.addEventListener('abort', end, { once: true })
  await Promise.all(Array.from({ length: users }, (_, user) => beUser(user)))
  signal.removeEventListener('abort', end)
}
