import type { Principal } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'

/** Whether the principal is a person who manages the groups of its tenant. */
export function isAdministrator(principal: Principal): boolean {
  const { role, tenant_id } = principal
  if (isMachine(principal) || tenant_id === '' || tenant_id === '*') return false
  return role === 'admin' || role === 'platform_admin'
}

export function assertAdministrator(by: Principal): void {
  if (isAdministrator(by)) return
  const message = 'only an administrator of the tenant sees and changes tool groups'
  throw new AppError('forbidden', message)
}

/** Whether the principal is a person who may use groups that are open to users. */
export function isUser(principal: Principal): boolean {
  return !isMachine(principal) && principal.role !== 'auditor'
}

function isMachine({ agent_id, group_id }: Principal): boolean {
  return agent_id !== undefined || group_id !== undefined
}
