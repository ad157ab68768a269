import { AppError, type Approval } from '@dataagent/schema'
import type { ApprovalRow } from './contract.ts'
import { readDetails } from './decision-details.ts'
import { readShown } from './shown-action.ts'

/** An approval as people see it: without what it is bound by. */
export function toApproval(row: ApprovalRow): Approval {
  const asked = {
    approval_id: row.approval_id,
    tenant_id: row.tenant_id,
    session_id: row.session_id,
    user_id: row.user_id,
    agent_id: row.agent_id,
    assignee: row.assignee,
    tool_call_id: row.tool_call_id,
    server_id: row.server_id,
    tool_name: row.tool_name,
    action_request: readShown(row),
    reason: row.reason,
    asked: row.asked,
    created_at: row.created_at,
    expires_at: row.expires_at,
  }
  if (row.status === 'pending') return { ...asked, status: 'pending' }
  return { ...asked, ...toDecided(row), status: 'decided', used_at: row.used_at }
}

/** The error for one who comes too late, with what was decided, how, by whom and when. */
export function decidedAlready(row: ApprovalRow): AppError {
  const { approval_id } = row
  const decided = toDecided(row)
  const how = {
    person: `${decided.decision.type === 'approve' ? 'approved' : 'rejected'} by ${row.decided_by}`,
    policy: `${decided.decision.type === 'approve' ? 'approved' : 'rejected'} by a policy`,
    expiry: 'not decided in time; ask again',
    withdrawal: 'withdrawn by the one who asked',
  }[decided.via]
  const data = { approval_id, ...decided }
  return new AppError('conflict', `approval ${approval_id} was ${how}`, { data })
}

/** What was decided: rows past `pending` have these fields. */
export function toDecided(row: ApprovalRow) {
  return {
    decision: { type: row.decision ?? 'reject', message: row.message ?? '', ...readDetails(row) },
    via: row.via ?? 'expiry',
    decided_by: row.decided_by,
    decided_at: row.decided_at ?? row.expires_at,
  }
}
