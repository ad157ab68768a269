import type { RunLease, RunLeases } from '@dataagent/core'

/** Lets a process give up runs that it holds, for another process to go on with. */
export interface Abandoning {
  /** The same leases; each is lost when its session is abandoned. One object for one object. */
  wrap(leases: RunLeases): RunLeases
  /** The run of the session writes nothing more and ends here as if the process had died. */
  abandon(session_id: string): void
}

export function createAbandoning(): Abandoning {
  const held = new Map<string, AbortController>()
  const wraps = new WeakMap<RunLeases, RunLeases>()

  function toAbandonable(session_id: string, lease: RunLease): RunLease {
    const leaving = new AbortController()
    held.set(session_id, leaving)
    return {
      lost: AbortSignal.any([lease.lost, leaving.signal]),
      release() {
        if (held.get(session_id) === leaving) held.delete(session_id)
        return lease.release()
      },
    }
  }

  function toAbandonables(leases: RunLeases): RunLeases {
    return {
      isHeld: leases.isHeld,
      async acquire(session_id) {
        const lease = await leases.acquire(session_id)
        return lease && toAbandonable(session_id, lease)
      },
    }
  }

  return {
    wrap(leases) {
      const wrapped = wraps.get(leases) ?? toAbandonables(leases)
      wraps.set(leases, wrapped)
      return wrapped
    },
    abandon: (session_id) => held.get(session_id)?.abort(),
  }
}
