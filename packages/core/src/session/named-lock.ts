import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { Kv, Lease } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'

/** Does what bears one name one after the other, over all processes where there is a KV. */
export type NamedLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

export interface NamedLockOptions {
  kv?: Pick<Kv, 'acquireLease'> | undefined
  clock: Clock
}

/** A process that died in its work holds the others up for so long. */
const leaseMs = 10_000
const patienceMs = 15_000
const retryMs = 20

/** `work` must be short: it is not renewed. Who waits too long gets `unavailable`. */
export function createNamedLock({ kv, clock }: NamedLockOptions): NamedLock {
  const owner = randomUUID()
  const last = new Map<string, Promise<unknown>>()

  async function acquire(name: string): Promise<Lease | undefined> {
    const until = clock.monotonic() + patienceMs
    for (;;) {
      const lease = await kv?.acquireLease(name, { ttlMs: leaseMs, owner })
      if (lease !== undefined || kv === undefined) return lease
      if (clock.monotonic() > until) throw new AppError('unavailable', 'too busy: try again')
      await new Promise<void>((resolve) => clock.after(retryMs, resolve))
    }
  }

  async function inLease<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lease = await acquire(name)
    try {
      return await work()
    } finally {
      await lease?.release()
    }
  }

  return async (name, work) => {
    const before = last.get(name)
    const own = (async () => {
      await before?.catch(ignore)
      return inLease(name, work)
    })()
    last.set(name, own)
    try {
      return await own
    } finally {
      if (last.get(name) === own) last.delete(name)
    }
  }
}

function ignore(): void {}
