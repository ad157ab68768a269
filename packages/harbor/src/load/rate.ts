import type { Load } from '@dataagent/schema'
import { createArrivals } from './arrivals.ts'
import { createNumbers } from './numbers.ts'
import type { Asking, LoadOptions } from './run-load.ts'

/**
 * A fixed rate of askings, each planned ahead: that an earlier one is not answered delays none but
 * by the bound on those under way, and then it is late and says so. What a timer missed is caught
 * up at once.
 */
export async function runRate(
  load: Extract<Load, { mode: 'rate' }>,
  { count, clock, signal, ask }: LoadOptions,
): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const plannedAt = createArrivals(load)
  const numbers = createNumbers({ load, count })
  const start = clock.monotonic()
  let planned = 0
  let underWay = 0
  let next = toNext()
  let cancel = () => {}

  function toNext(): Asking | undefined {
    const ms = plannedAt(planned)
    const number = numbers.take(ms)
    planned += 1
    return number && { ...number, planned: start + ms }
  }

  function begin(asking: Asking): void {
    underWay += 1
    ask(asking).then(() => {
      underWay -= 1
      goOn()
    }, ended.reject)
  }

  function goOn(): void {
    cancel()
    while (next && !signal.aborted && underWay < load.concurrency) {
      const ms = next.planned - clock.monotonic()
      if (ms > 0) {
        cancel = clock.after(Math.ceil(ms), goOn)
        return
      }
      begin(next)
      next = toNext()
    }
    if (underWay === 0 && (signal.aborted || !next)) ended.resolve()
  }

  signal.addEventListener('abort', goOn, { once: true })
  goOn()
  await ended.promise
  cancel()
  signal.removeEventListener('abort', goOn)
}
