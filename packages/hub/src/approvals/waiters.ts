import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { ApprovalRow } from './contract.ts'

export interface WaitersOptions {
  clock: Clock
  /** How often what is waited for is looked at, should no hint of its decision arrive. */
  pollMs: number
  /** Reads approvals and tells `settle` or `fail` of each. */
  look(approval_ids: Iterable<string>): void
  /** Called for one that is waited for and past its time. */
  onDue(row: ApprovalRow): void
}

/** The calls of this process that wait for a person. One timer serves them all. */
export interface Waiters {
  wait(tenant_id: string, approval_id: string, signal?: AbortSignal): Promise<ApprovalRow>
  /** An approval as it is now: ends the waits for it unless it is pending. */
  settle(row: ApprovalRow): void
  /** There is no such approval. */
  fail(approval_id: string): void
  has(approval_id: string): boolean
  /** Looks at all that are waited for. */
  lookAtAll(): void
  /** Ends every wait with `unavailable`, later ones too. */
  close(): void
}

interface Waiter {
  tenant_id: string
  resolve(row: ApprovalRow): void
  reject(reason: unknown): void
}

interface Awaited {
  waiters: Set<Waiter>
  /** As last seen. */
  expires_at: number
}

export function createWaiters({ clock, pollMs, look, onDue }: WaitersOptions): Waiters {
  const awaited = new Map<string, Awaited>()
  let timer: { at: number; cancel: () => void } | undefined
  let closed = false

  function enter(approval_id: string, waiter: Waiter): void {
    const entry = awaited.get(approval_id)
    if (entry) entry.waiters.add(waiter)
    else awaited.set(approval_id, { waiters: new Set([waiter]), expires_at: Infinity })
    wakeAt(clock.now() + pollMs)
    look([approval_id])
  }

  function leave(approval_id: string, waiter: Waiter): void {
    const entry = awaited.get(approval_id)
    entry?.waiters.delete(waiter)
    if (entry?.waiters.size === 0) awaited.delete(approval_id)
    if (awaited.size === 0) stopTimer()
  }

  function wakeAt(at: number): void {
    if (timer && timer.at <= at) return
    stopTimer()
    timer = { at, cancel: clock.after(Math.max(0, at - clock.now()), wake) }
  }

  function stopTimer(): void {
    timer?.cancel()
    timer = undefined
  }

  function wake(): void {
    timer = undefined
    const now = clock.now()
    let next = now + pollMs
    for (const { expires_at } of awaited.values()) {
      if (expires_at > now && expires_at < next) next = expires_at
    }
    wakeAt(next)
    look(awaited.keys())
  }

  function settlePending(row: ApprovalRow, entry: Awaited): void {
    entry.expires_at = row.expires_at
    if (row.expires_at > clock.now()) wakeAt(row.expires_at)
    else onDue(row)
  }

  return {
    async wait(tenant_id, approval_id, signal) {
      signal?.throwIfAborted()
      if (closed) throw closing()
      const { promise, resolve, reject } = Promise.withResolvers<ApprovalRow>()
      const waiter = { tenant_id, resolve, reject }
      const onAbort = () => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      enter(approval_id, waiter)
      try {
        return await promise
      } finally {
        leave(approval_id, waiter)
        signal?.removeEventListener('abort', onAbort)
      }
    },

    settle(row) {
      const entry = awaited.get(row.approval_id)
      if (!entry) return
      for (const waiter of entry.waiters) {
        if (waiter.tenant_id !== row.tenant_id) waiter.reject(unknown(row.approval_id))
        else if (row.status !== 'pending') waiter.resolve(row)
      }
      if (row.status === 'pending') settlePending(row, entry)
    },

    fail(approval_id) {
      for (const { reject } of awaited.get(approval_id)?.waiters ?? []) reject(unknown(approval_id))
    },

    has: (approval_id) => awaited.has(approval_id),

    lookAtAll: () => look(awaited.keys()),

    close() {
      closed = true
      for (const { waiters } of awaited.values()) {
        for (const { reject } of waiters) reject(closing())
      }
    },
  }
}

function unknown(approval_id: string): AppError {
  return new AppError('not_found', `there is no approval ${approval_id}`)
}

function closing(): AppError {
  return new AppError('unavailable', 'this process is ending; the approval stays: ask again')
}
