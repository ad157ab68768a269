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
  /** Leases in memory, lapsed ones not yet swept included. */
  readonly size: number
}

interface Held {
  owner: string
  fence: number
}

export function createMemoryLeases(clock: Clock): MemoryLeases {
  const leases = createExpiringMap<Held>(clock)
  /** Of all names: the next is above it, so none of theirs has to be remembered. */
  let lastFence = 0

  function heldBy(name: string, fence: number): Held | undefined {
    const lease = leases.get(name)
    return lease?.fence === fence ? lease : undefined
  }

  return {
    acquire(name, { owner, ttlMs }) {
      if (leases.get(name)) return undefined
      lastFence = nextFence(lastFence, clock)
      leases.set(name, { owner, fence: lastFence }, ttlMs)
      return lastFence
    },
    renew(name, fence, ttlMs) {
      const lease = heldBy(name, fence)
      if (lease) leases.set(name, lease, ttlMs)
      return lease !== undefined
    },
    release: (name, fence) => heldBy(name, fence) !== undefined && leases.delete(name),
    holder(name) {
      const lease = leases.get(name)
      return lease && { ...lease, leftMs: leases.expiresIn(name) ?? 0 }
    },
    get size() {
      return leases.size
    },
  }
}

/**
 * Microseconds of wall time, so that fences rise also over a restart, and else the last plus one.
 */
function nextFence(last: number, clock: Clock): number {
  return Math.max(last + 1, Math.floor(clock.now() * 1_000))
}
