import { isAdministrator, type Principal, platformTenant } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'

/** Tool groups are of a tenant: the platform has none. */
export function assertAdministrator(by: Principal): void {
  if (isAdministrator(by) && by.tenant_id !== platformTenant) return
  const message = 'only an administrator of the tenant sees and changes tool groups'
  throw new AppError('forbidden', message)
}
