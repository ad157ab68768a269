import { randomUUID } from 'node:crypto'
import { type Clock, createExclusive } from '@dataagent/guard'
import type { Kv, Lease } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'

/**
 * Runs `work` while nobody else, in any process, moves the workspace of that key. The signal aborts
 * when this can no longer be promised. Throws `unavailable` where another takes too long.
 */
export type Lock = <T>(key: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>

const ttlMs = 30_000
const lookAgainMs = 100
const patienceMs = 25_000

export function createLock(kv: Pick<Kv, 'acquireLease'> | undefined, clock: Clock): Lock {
  const exclusive = createExclusive()
  const owner = randomUUID()
  const never = new AbortController().signal

  return (key, work) =>
    exclusive(key, async () => {
      if (kv === undefined) return await work(never)
      await using lease = await acquire(kv, `workspace:${key}`, { clock, owner })
      const stopRenewing = keepRenewing(lease, clock)
      try {
        return await work(lease.lost)
      } finally {
        stopRenewing()
      }
    })
}

async function acquire(
  kv: Pick<Kv, 'acquireLease'>,
  name: string,
  { clock, owner }: { clock: Clock; owner: string },
): Promise<Lease> {
  const deadline = clock.monotonic() + patienceMs
  do {
    const lease = await kv.acquireLease(name, { ttlMs, owner })
    if (lease !== undefined) return lease
    await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve))
  } while (clock.monotonic() < deadline)
  throw new AppError('unavailable', 'The workspace is being moved. Try again in a minute')
}

function keepRenewing(lease: Lease, clock: Clock): () => void {
  let cancel = clock.after(ttlMs / 3, renew)
  return () => cancel()

  function renew(): void {
    cancel = clock.after(ttlMs / 3, renew)
    // With the store away it lapses by itself, and `lost` tells.
    lease.renew().catch(() => {})
  }
}
