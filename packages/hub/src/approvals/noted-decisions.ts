import type { ApprovalRow, DecidedFields } from './contract.ts'
import { readDetails } from './decision-details.ts'

/** What is noted of a person's decision. */
export function toDecision(row: ApprovalRow, decided: DecidedFields) {
  const { decision, message } = decided
  const action = decision === 'approve' ? ('approved' as const) : ('rejected' as const)
  const { server_id, tool_name, definition_hash, digest } = row
  const details = readDetails({ ...row, ...decided })
  const after = { server_id, tool_name, definition_hash, digest, message, ...details }
  return { ...toPlace(row), action, before: { status: row.status }, after }
}

/** What is noted when someone else is to decide. */
export function toHandOver(row: ApprovalRow, assignee: string) {
  const { assignee: before } = row
  return {
    ...toPlace(row),
    action: 'handed_over' as const,
    before: { assignee: before },
    after: { assignee },
  }
}

/** What is noted when a person opens an approval that has expired or was withdrawn. */
export function toAskedAgain(row: ApprovalRow) {
  const { via, asked } = row
  return { ...toPlace(row), action: 'asked_again' as const, before: { via, asked } }
}

function toPlace({ tenant_id, approval_id }: ApprovalRow) {
  return { tenant_id, kind: 'approval' as const, target: approval_id }
}
