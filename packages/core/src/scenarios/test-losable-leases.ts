import { createRunLeases, type RunLeases } from '../session/index.ts'

/** Leases that are lost when the test says so, as when the process stands still. */
export interface LosableLeases extends RunLeases {
  lose(): void
}

export function createLosableLeases(): LosableLeases {
  const leases = createRunLeases()
  const lost = new AbortController()
  return {
    isHeld: leases.isHeld,
    async acquire(session_id) {
      const lease = await leases.acquire(session_id)
      return lease && { lost: lost.signal, release: lease.release }
    },
    lose: () => lost.abort(new Error('The lease was not renewed in time.')),
  }
}
