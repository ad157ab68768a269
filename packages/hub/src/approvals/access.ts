import { isAdministrator, isAuditor, isMachine, type Principal, toCallerKey } from '../principal.ts'
import type { ApprovalQuery, ApprovalRow } from './contract.ts'

/**
 * Whether a person acts: neither an agent nor a gateway's client in a person's name, nor one who
 * reads only.
 */
export function isPerson(by: Principal): boolean {
  return by.user_id !== null && !isMachine(by) && !isAuditor(by)
}

/** Whether an approval of the same tenant is shown to `by`. */
export function sees(by: Principal, row: ApprovalRow): boolean {
  if (row.tenant_id !== by.tenant_id || isAuditor(by)) return false
  return row.caller === toCallerKey(by) || isAdministrator(by) || isTheirs(by, row)
}

/** Whether `by` may be asked: the one whose call it is, who was given it, an administrator. */
export function isApprover(by: Principal, row: ApprovalRow): boolean {
  if (row.tenant_id !== by.tenant_id || !isPerson(by)) return false
  return isAdministrator(by) || isTheirs(by, row)
}

/** The part of a tenant's approvals that `by` sees. */
export function toScope(by: Principal): Pick<ApprovalQuery, 'user_id' | 'caller'> {
  if (isAdministrator(by)) return {}
  return isPerson(by) ? { user_id: by.user_id ?? undefined } : { caller: toCallerKey(by) }
}

/**
 * Whether `by` may let a yes reach further than the one call: a rule for oneself is anyone's to
 * make, one for another an administrator's.
 */
export function mayReachFurther(by: Principal, row: ApprovalRow): boolean {
  return isAdministrator(by) || by.user_id === row.user_id
}

function isTheirs(by: Principal, row: ApprovalRow): boolean {
  return isPerson(by) && (row.user_id === by.user_id || row.assignee === by.user_id)
}
