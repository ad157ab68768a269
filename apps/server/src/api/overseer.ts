import { AppError } from '@dataagent/schema'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'

/**
 * With several tenants, what shows all of them is for those who run the platform and the auditors
 * of the tenant `default`. Throws `forbidden`.
 */
export function requireOverseer({ config }: Platform, principal: Principal): void {
  if (!config.multi_tenant || mayAccess(principal, 'platform_admin')) return
  if (principal.role === 'auditor' && principal.tenant_id === 'default') return
  throw new AppError(
    'forbidden',
    'With several tenants this is for administrators of the platform.',
  )
}
