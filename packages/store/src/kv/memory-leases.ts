import type { Clock } from '@dataagent/guard'
import { createExpiringMap } from './expiring-map.ts'
import type { LeaseHolder, LeaseOptions } from './lease.ts'

/** The store's side of leases. */
export interface MemoryLeases {
  /** The fence, or undefined while it is held. */
  acquire(name: string, options: LeaseOptions): number | undefined
  renew(name: string, fence: number, ttlMs: number): boolean
  release(name: string, fence: number): boolean
  holder(name: string): LeaseHolder | undefined
}

interface Held {
  owner: string
  fence: number
  until: number
}

/** How long a fence is remembered after its lease: longer than the wall clock is ever set back. */
export const fenceKeptMs = 7 * 24 * 3_600_000

export function createMemoryLeases(clock: Clock): MemoryLeases {
  const leases = createExpiringMap<Held>(clock)

  function heldBy(name: string, fence: number): Held | undefined {
    const lease = leases.get(name)
    return lease && lease.fence === fence && lease.until > clock.monotonic() ? lease : undefined
  }

  function keep(name: string, owner: string, fence: number, ttlMs: number): void {
    leases.set(name, { owner, fence, until: clock.monotonic() + ttlMs }, ttlMs + fenceKeptMs)
  }

  return {
    acquire(name, { owner, ttlMs }) {
      const last = leases.get(name)
      if (last && last.until > clock.monotonic()) return undefined
      const fence = nextFence(last?.fence, clock)
      keep(name, owner, fence, ttlMs)
      return fence
    },
    renew(name, fence, ttlMs) {
      const lease = heldBy(name, fence)
      if (lease) keep(name, lease.owner, fence, ttlMs)
      return lease !== undefined
    },
    release(name, fence) {
      const lease = heldBy(name, fence)
      if (lease) lease.until = -Infinity
      return lease !== undefined
    },
    holder(name) {
      const lease = leases.get(name)
      const leftMs = lease ? lease.until - clock.monotonic() : 0
      return lease && leftMs > 0 ? { owner: lease.owner, fence: lease.fence, leftMs } : undefined
    },
  }
}

/**
 * Microseconds of wall time, so that fences rise also when the last one was forgotten, and else the
 * last plus one.
 */
function nextFence(last: number | undefined, clock: Clock): number {
  return Math.max((last ?? 0) + 1, Math.floor(clock.now() * 1_000))
}
