import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import type { Kv, Lease } from '@dataagent/hub'

/**
 * Who runs in a session: one run at a time, over all processes. `acquire` gives undefined while
 * another run has it, and throws `store_unavailable` where the KV is away: who cannot know that it
 * is alone does not begin.
 */
export interface RunLeases {
  acquire(session_id: string): Promise<RunLease | undefined>
  /** Whether a run is under way in it, wherever. Throws as `acquire` does. */
  isHeld(session_id: string): Promise<boolean>
}

/** Those that this process acquires. */
export interface OwnRunLeases extends RunLeases {
  /**
   * The session's run here loses its lease, as if this process had died: it writes nothing more,
   * and another process goes on with it.
   */
  abandon(session_id: string): void
}

/** A session's one run. */
export interface RunLease {
  /**
   * Aborts when another run may begin although this one has not ended: the KV was away, or this
   * process stood still, for longer than the lease lives. The run must then write nothing more.
   */
  readonly lost: AbortSignal
  /**
   * To be called at the run's end, also after a loss: until then this process begins no other run
   * in the session. Called again it does nothing. Does not reject.
   */
  release(): Promise<void>
}

export interface RunLeasesOptions {
  /** Absent: this process is the only one. */
  kv?: Pick<Kv, 'acquireLease' | 'leaseHolder'> | undefined
  clock?: Clock
  /** How long the run of a process that died keeps others out. Default 8 s. */
  ttlMs?: number
  /** What the KV shows as the holder. Default: an id of this process's own. */
  owner?: string
}

/** Leases over a KV, renewed three times per `ttlMs`; without one, over this process alone. */
export function createRunLeases({
  kv,
  clock = systemClock,
  ttlMs = 8_000,
  owner = randomUUID(),
}: RunLeasesOptions = {}): OwnRunLeases {
  const own = new Map<string, AbortController>()

  async function acquireShared(session_id: string): Promise<Lease | undefined> {
    const lease = await kv?.acquireLease(nameOf(session_id), { ttlMs, owner })
    if (lease !== undefined) keepRenewing(lease, clock, ttlMs / 3)
    return lease
  }

  async function acquire(session_id: string): Promise<RunLease | undefined> {
    if (own.has(session_id)) return undefined
    const lost = new AbortController()
    own.set(session_id, lost)
    try {
      const lease = await acquireShared(session_id)
      if (kv !== undefined && lease === undefined) own.delete(session_id)
      else return toRunLease(lease, { lost, forget: () => own.delete(session_id) })
    } catch (error) {
      own.delete(session_id)
      throw error
    }
    return undefined
  }

  return {
    acquire,
    isHeld: async (session_id) =>
      own.has(session_id) || (await kv?.leaseHolder(nameOf(session_id))) !== undefined,
    abandon: (session_id) => own.get(session_id)?.abort(),
  }
}

const nameOf = (session_id: string) => `run:${session_id}`

function toRunLease(
  lease: Lease | undefined,
  { lost, forget }: { lost: AbortController; forget(): void },
): RunLease {
  const onLoss = () => lost.abort(lease?.lost.reason)
  let released: Promise<void> | undefined
  lease?.lost.addEventListener('abort', onLoss)

  async function release(): Promise<void> {
    lease?.lost.removeEventListener('abort', onLoss)
    await lease?.release()
    forget()
  }

  return {
    lost: lost.signal,
    release: () => {
      released ??= release()
      return released
    },
  }
}

/** A renewal that finds the KV away is tried again until the lease lapses. */
function keepRenewing(lease: Lease, clock: Clock, everyMs: number): void {
  let cancel = clock.after(everyMs, renew)
  lease.lost.addEventListener('abort', () => cancel(), { once: true })

  function renew(): void {
    lease.renew().catch(ignore)
    cancel = clock.after(everyMs, renew)
  }
}

function ignore(): void {}
