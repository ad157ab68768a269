import type { Clock } from '@dataagent/guard'
import { type CallLogRows, listWriters, trimChain } from '../audit/index.ts'
import type { HubLogEntry } from '../hub-options.ts'
import type { Kv, Lease } from '../kv-port.ts'
import type { Results } from '../results/index.ts'
import type { HeldSessions } from '../sessions/index.ts'
import type { Retention, RetentionRows } from './contract.ts'

export interface RetentionOptions {
  rows: RetentionRows
  calls: Pick<CallLogRows, 'chain' | 'anchors' | 'putAnchors'>
  results: Pick<Results, 'sweep'>
  sessions: Pick<HeldSessions, 'sweep'>
  /** That of the anchors. */
  key: Uint8Array
  kv: Pick<Kv, 'acquireLease'>
  /** This process's name. */
  owner: string
  clock: Clock
  /** How long calls, approvals, gone tools and removed servers' versions stay; 0 is for ever. */
  days: number
  onLog(entry: HubLogEntry): void
}

const dayMs = 24 * 60 * 60_000
const everyMs = 60_000
/** What is kept for days is looked through less often. */
const daysEveryMs = 60 * 60_000
const leaseMs = 60_000
const rowsAtOnce = 50

/** Deletes what is too old, in the background, in one process at a time. */
export function createRetention(options: RetentionOptions): Retention {
  const { rows, calls, results, sessions, key, kv, owner, clock, days, onLog } = options
  let cancel = () => {}
  let sweeping: Promise<void> | undefined
  let isClosed = false
  let dueAt = -Infinity

  async function sweep(): Promise<void> {
    await using lease = await kv.acquireLease('hub:retention', { ttlMs: leaseMs, owner })
    if (lease === undefined) return
    await results.sweep()
    await sessions.sweep()
    if (days === 0 || clock.monotonic() < dueAt) return
    await sweepDays(clock.now() - days * dayMs, createGoOn(lease))
    dueAt = clock.monotonic() + daysEveryMs
  }

  /** Between batches: holds on to the lease, and stops where it is lost or the process ends. */
  function createGoOn(lease: Lease) {
    let renewedAt = clock.monotonic()
    return async (): Promise<void> => {
      if (isClosed || lease.lost.aborted) throw stopped
      if (clock.monotonic() - renewedAt < leaseMs / 4) return
      renewedAt = clock.monotonic()
      if (!(await lease.renew())) throw stopped
    }
  }

  async function sweepDays(before: number, goOn: () => Promise<void>): Promise<void> {
    for (const tenant_id of await rows.auditedTenants()) {
      for (const writer of await listWriters(calls, tenant_id)) {
        await goOn()
        await trim({ tenant_id, writer }, before, goOn)
      }
    }
    for (const remove of [rows.deleteGoneTools, rows.deleteOrphanVersions, rows.deleteApprovals]) {
      do await goOn()
      while ((await remove(before, rowsAtOnce)) >= rowsAtOnce)
    }
  }

  async function trim(
    chain: { tenant_id: string; writer: string },
    endedBefore: number,
    goOn: () => Promise<void>,
  ): Promise<void> {
    const means = { calls, rows, key, now: clock.now(), endedBefore, goOn }
    const trimmed = await trimChain({ ...chain, ...means })
    if (trimmed.status === 'ok') return
    const { tenant_id, writer } = chain
    const where = `row ${trimmed.seq} of the writer ${writer}`
    const message = `old calls are kept: the audit does not verify at ${where}`
    onLog({ level: 'error', message, tenant_id })
  }

  function tick(): void {
    sweeping = sweep().catch((error) => {
      if (error !== stopped) onLog({ level: 'warn', message: 'old rows were not removed', error })
    })
    cancel = clock.after(everyMs, () => void sweeping?.then(() => isClosed || tick()))
  }

  return {
    sweep,
    start() {
      if (!isClosed) cancel = clock.after(everyMs, tick)
    },
    async close() {
      isClosed = true
      cancel()
      await sweeping
    },
  }
}

const stopped = new Error('the sweep was stopped')
