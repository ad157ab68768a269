import { type Clock, type Masker, systemClock } from '@dataagent/guard'
import { createNote, type Note } from '../changes/index.ts'
import type { Kv } from '../kv-port.ts'
import { isAuditor, type Principal } from '../principal.ts'
import { isPerson, toScope } from './access.ts'
import { toApproval } from './approval-view.ts'
import { createBatchReader } from './batch-reader.ts'
import { createChanges } from './changes.ts'
import type { ApprovalRow, ApprovalRows, Approvals } from './contract.ts'
import { type DetailsMeans, readGivenArgs } from './decision-details.ts'
import { createDecisions, type DecisionsOptions } from './decisions.ts'
import { toDigest } from './digest.ts'
import { createExpiry } from './expiry.ts'
import { createDecidedOf, createRequest } from './request.ts'
import { createUnderWay } from './under-way.ts'
import { createWaiters } from './waiters.ts'

export interface ApprovalsOptions {
  rows: ApprovalRows
  kv: Pick<Kv, 'get' | 'setIfAbsent' | 'publish' | 'subscribe'>
  masker: Pick<Masker, 'mask' | 'maskText'>
  /** For arguments that an approver gives and that hold a secret. */
  vault?: DetailsMeans['vault']
  clock?: Clock
  /** How long a person has; default 300,000. */
  timeoutMs?: number
  /** How long a decision waits to be used, and a rejection is not asked again; default 600,000. */
  reuseMs?: number
  /** How many of one caller may wait for a person; default 100. */
  pendingMax?: number
  /** How often what is waited for is looked at, beside the hints; default 2,000. */
  pollMs?: number
  /** How often what nobody waits for is looked through for what has expired; default 5,000. */
  sweepMs?: number
  /** Narrows who may decide further: that it be another than the one who asks, for example. */
  mayDecide?: (by: Principal, row: ApprovalRow) => boolean
  /** Whether there is such a person to hand an approval over to; by default anyone is believed. */
  hasUser?: (tenant_id: string, user_id: string) => Promise<boolean>
  /** Whether a call could be made with the arguments that an approver gives; throws if not. */
  checkArgs?: DecisionsOptions['checkArgs']
  note?: Note
}

/** Makes the approvals of this process. Hints and sweeps begin with `start`. */
export function createApprovals(options: ApprovalsOptions): Approvals {
  const { rows, kv, masker, clock = systemClock, reuseMs = 600_000, pollMs = 2_000 } = options
  const { timeoutMs = 300_000, sweepMs = 5_000, mayDecide = () => true } = options
  const { pendingMax = 100, note = createNote({ masker, clock }) } = options
  const { hasUser = async () => true, checkArgs = async () => {}, vault } = options
  const hinted = new Set<string>()
  const underWay = createUnderWay()

  const reader = createBatchReader({ rows, onRow, onMissing })
  const expiry = createExpiry({ rows, clock, sweepMs, onExpired: announce })
  const waiters = createWaiters({ clock, pollMs, look: reader.read, onDue })
  const changes = createChanges({
    kv,
    clock,
    retryMs: pollMs,
    onHint,
    onGap: waiters.lookAtAll,
  })

  /** After a change that this process has made. */
  function announce(row: ApprovalRow): void {
    waiters.settle(row)
    changes.tell(row)
    changes.publish(row)
  }

  function onHint(approval_id: string): void {
    if (changes.hasHandlers()) hinted.add(approval_id)
    else if (!waiters.has(approval_id)) return
    reader.read([approval_id])
  }

  function onRow(row: ApprovalRow): void {
    waiters.settle(row)
    if (hinted.delete(row.approval_id)) changes.tell(row)
  }

  function onMissing(approval_id: string): void {
    hinted.delete(approval_id)
    waiters.fail(approval_id)
  }

  function onDue(row: ApprovalRow): void {
    underWay.keep(expireDue(row).catch(ignore))
  }

  /** Where another process was faster, its decision is read. */
  async function expireDue(row: ApprovalRow): Promise<void> {
    await expiry.expireOne(row)
    if (waiters.has(row.approval_id)) reader.read([row.approval_id])
  }

  async function close(): Promise<void> {
    waiters.close()
    await Promise.all([changes.close(), expiry.close(), underWay.done()])
    await reader.idle()
  }

  return {
    request: createRequest({
      ...{ rows, kv, clock, masker, timeoutMs, reuseMs, pendingMax },
      expireOne: expiry.expireOne,
      onAsked: announce,
    }),
    decidedOf: createDecidedOf({ rows, clock, reuseMs }),
    wait: waiters.wait,
    async use(tenant_id, approval_id, call) {
      if (call.principal.tenant_id !== tenant_id) return false
      const { once_for, earlier_use = null } = call
      if (earlier_use !== null && once_for === undefined) return false
      const now = clock.now()
      // Later than the earlier one, also where two processes' clocks differ.
      const used_at = earlier_use === null ? now : Math.max(now, earlier_use + 1)
      const use = { used_at, digest: toDigest(call), decided_after: now - reuseMs, earlier_use }
      return rows.use({ tenant_id, approval_id }, use)
    },
    givenArgs: (row, asked) => readGivenArgs({ masker, vault }, row, asked),
    ...createDecisions({
      ...{ rows, clock, masker, vault, timeoutMs, mayDecide, checkArgs, hasUser, note },
      expireOne: expiry.expireOne,
      onChanged: announce,
    }),
    async list(by, { mine, ...query }) {
      if (isAuditor(by)) return []
      const scope = mine && isPerson(by) ? { user_id: by.user_id ?? undefined } : toScope(by)
      const found = await rows.list({ ...query, ...scope, tenant_id: by.tenant_id })
      return found.map(toApproval)
    },
    onChange: changes.onChange,
    start() {
      changes.start()
      expiry.start()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The database is away: the next look finds the same. */
function ignore(): void {}
