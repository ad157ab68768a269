import type { Clock } from '@dataagent/guard'
import type { ApprovalRow, ApprovalRows } from './contract.ts'

export interface ExpiryOptions {
  rows: Pick<ApprovalRows, 'decide' | 'expire'>
  clock: Clock
  sweepMs: number
  /** Called for each that this process was the one to expire. */
  onExpired(row: ApprovalRow): void
}

/** Time as a decision: each process sweeps, and of all one decides each approval. */
export interface Expiry {
  /** Expires this one where it is due. Resolves when it has, here or elsewhere. */
  expireOne(row: ApprovalRow): Promise<void>
  start(): void
  close(): Promise<void>
}

const batch = 100
const byExpiry = {
  decision: 'reject',
  message: '',
  via: 'expiry',
  decided_by: null,
  decision_details: null,
} as const

export function createExpiry({ rows, clock, sweepMs, onExpired }: ExpiryOptions): Expiry {
  let cancelTimer: (() => void) | undefined
  let sweeping: Promise<void> | undefined
  let state: 'new' | 'started' | 'closed' = 'new'

  async function sweep(): Promise<void> {
    try {
      let expired: ApprovalRow[]
      do {
        expired = await rows.expire(clock.now(), batch)
        expired.forEach(onExpired)
      } while (expired.length > 0 && state === 'started')
    } catch {
      // The database is away: the next sweep finds the same approvals.
    }
    if (state === 'started') cancelTimer = clock.after(sweepMs, beginSweep)
  }

  function beginSweep(): void {
    sweeping = sweep()
  }

  return {
    async expireOne(row) {
      const decided = { ...byExpiry, decided_at: clock.now() }
      const isOurs = await rows.decide(row, decided)
      if (isOurs) onExpired({ ...row, ...decided, status: 'decided' })
    },
    start() {
      if (state !== 'new') return
      state = 'started'
      beginSweep()
    },
    async close() {
      state = 'closed'
      cancelTimer?.()
      await sweeping
    },
  }
}
