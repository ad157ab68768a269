import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { holdLease, type Kv } from '@dataagent/store/kv'
import type { Logger } from '../log/index.ts'

export interface UpkeepOptions {
  kv: Kv
  clock: Clock
  log: Logger
  /** What is done, by name; each may fail by itself. */
  chores: Readonly<Record<string, () => Promise<unknown>>>
}

const everyMs = 3_600_000
const firstMs = 60_000
const leaseMs = 60_000

/** Does what is to be done from time to time, in one process of several. The function ends it. */
export function keepUp(options: UpkeepOptions): () => void {
  const { kv, clock, log, chores } = options
  let cancel = clock.after(firstMs, turn)
  let isEnded = false

  async function doAll(): Promise<void> {
    const owner = randomUUID()
    const lease = await holdLease(kv, 'upkeep', { ttlMs: leaseMs, owner, clock })
    if (lease === undefined) return
    try {
      for (const [chore, work] of Object.entries(chores)) {
        if (isEnded || lease.lost.aborted) return
        await work().catch((error) => log.error({ error, chore }, 'a chore failed'))
      }
    } finally {
      await lease.release()
    }
  }

  function turn(): void {
    doAll()
      .catch((error) => log.warn({ error }, 'chores are put off'))
      .finally(() => {
        if (!isEnded) cancel = clock.after(everyMs, turn)
      })
  }

  return () => {
    isEnded = true
    cancel()
  }
}
