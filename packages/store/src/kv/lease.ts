import { type Clock, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Kv } from './kv.ts'

export interface LeaseOptions {
  /** How long it is held without renewal; whole milliseconds from 1. */
  ttlMs: number
  /** Who to call through: shown by `leaseHolder`. Holding is proved by the fence, not by this. */
  owner: string
}

/**
 * Sole ownership of a name for a time. A holder that was paused may not know that it lost the
 * lease: whatever it changes must carry `fence` and be refused where a higher one was seen.
 */
export interface Lease extends AsyncDisposable {
  readonly name: string
  readonly owner: string
  /** Rises strictly per name: past expiry, restarts and a store that lost its data. */
  readonly fence: number
  /** Aborts when the lease is lost, lapsed by this process's own clock, or given back. */
  readonly lost: AbortSignal
  /**
   * Another `ttlMs` from now. False when lost. `store_unavailable` leaves it held until it lapses.
   */
  renew(): Promise<boolean>
  /**
   * Gives it back if it is still held. Does not reject: with the store away it lapses by itself.
   */
  release(): Promise<void>
}

export interface LeaseHolder {
  owner: string
  fence: number
  /** Milliseconds it is held unless renewed. */
  leftMs: number
}

export interface LeaseGrant extends LeaseOptions {
  name: string
  fence: number
  /**
   * The monotonic time before the store was asked: this side's view ends no later than the store's.
   */
  askedAt: number
  clock: Clock
  renew(): Promise<boolean>
  release(): Promise<unknown>
}

/** The holder's side of a lease that a store has granted. */
export function createLease(grant: LeaseGrant): Lease {
  const { clock, ttlMs, name } = grant
  const lost = new AbortController()
  let cancelLapse = lapseAfter(grant.askedAt)

  function lapseAfter(askedAt: number): () => void {
    return clock.after(askedAt + ttlMs - clock.monotonic(), () => end('was not renewed in time'))
  }

  function end(how: string): void {
    cancelLapse()
    lost.abort(new AppError('unavailable', `The lease "${name}" ${how}.`))
  }

  async function release(): Promise<void> {
    end('was given back')
    await grant.release().catch(ignore)
  }

  return {
    name,
    owner: grant.owner,
    fence: grant.fence,
    lost: lost.signal,
    async renew() {
      if (lost.signal.aborted) return false
      const askedAt = clock.monotonic()
      const renewed = await grant.renew()
      if (!renewed) end('was lost')
      if (lost.signal.aborted) {
        if (renewed) await release()
        return false
      }
      cancelLapse()
      cancelLapse = lapseAfter(askedAt)
      return true
    },
    release,
    [Symbol.asyncDispose]: release,
  }
}

/**
 * Acquires a lease and renews it three times per `ttlMs` until it is released or lost. Undefined
 * while another holds it; rejects as `acquireLease` does. A renewal that finds the store away is
 * tried again until the lease lapses.
 */
export async function holdLease(
  kv: Kv,
  name: string,
  { clock = systemClock, ...options }: LeaseOptions & { clock?: Clock },
): Promise<Lease | undefined> {
  const lease = await kv.acquireLease(name, options)
  if (lease === undefined) return undefined
  let cancel = clock.after(options.ttlMs / 3, renew)
  lease.lost.addEventListener('abort', () => cancel(), { once: true })
  return lease

  function renew(): void {
    void lease?.renew().catch(ignore)
    cancel = clock.after(options.ttlMs / 3, renew)
  }
}

function ignore(): void {}
