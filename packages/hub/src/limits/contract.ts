import type { Limit } from '../policy/index.ts'
import type { Principal } from '../principal.ts'

/**
 * Counts calls in sliding windows that all processes share. Never throws: while the KV is away it
 * counts in this process and says so in the metrics.
 *
 * What a limit counts: a subject `*` gives each subject of that kind a window of its own (100 a
 * minute for every user is 100 for each); a pattern of tools, `*` among them, has one window for
 * all that it matches. A caller that has no identity of a limit's kind is not held to it.
 */
export interface Limiter {
  /** Takes one of each limit, or none: a call that one limit refuses uses up no other. */
  take(principal: Principal, limits: readonly Limit[]): Promise<LimitVerdict>
}

export type LimitVerdict =
  | { status: 'ok' }
  | { status: 'limited'; limit: Limit; retryAfterMs: number }

/**
 * Who runs next when all are busy: tenants take turns, whatever each has waiting. A lone tenant
 * may use every slot.
 */
export interface FairSlots {
  /** A slot where one is free now. */
  take(tenant_id: string): Slot | undefined
  /**
   * A slot, at once where one is free, else when the tenant's turn comes; `busy` where the tenant
   * has too many waiting already. Rejects with the signal's reason when that aborts first; a slot
   * that was given is the caller's to release, whatever its signal says by then.
   */
  acquire(tenant_id: string, signal?: AbortSignal): Slot | 'busy' | Promise<Slot>
  /** As `acquire`, for a call that lent its slot: before others of the tenant, and never busy. */
  acquireAgain(tenant_id: string, signal?: AbortSignal): Slot | Promise<Slot>
  readonly running: number
  readonly waiting: number
}

export interface Slot {
  /** A second time does nothing. */
  release(): void
}
