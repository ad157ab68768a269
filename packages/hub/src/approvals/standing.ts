import type { ApprovalRow } from './contract.ts'

/**
 * What an earlier approval means for an equal call that is made now. `pending`: it waits for the
 * same decision. `decided`: the decision holds. `due`: it is past its time, and nobody has said so
 * yet. `lapsed`: it ended without a decision and is asked again. `none`: a new one is asked.
 * `resumed` is the one whose use may have come to nothing: it counts as if it were unused.
 */
export type Standing = 'pending' | 'decided' | 'due' | 'lapsed' | 'none'

export function toStanding(
  row: ApprovalRow,
  { now, reuseMs, resumed }: { now: number; reuseMs: number; resumed?: string | undefined },
): Standing {
  if (row.status === 'used' && row.approval_id !== resumed) return 'none'
  if (row.status === 'pending') return row.expires_at > now ? 'pending' : 'due'
  if (row.decided_at === null || row.decided_at <= now - reuseMs) return 'none'
  return row.via === 'expiry' || row.via === 'withdrawal' ? 'lapsed' : 'decided'
}
