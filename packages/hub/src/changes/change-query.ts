import { AppError } from '@dataagent/schema'
import {
  isAdministrator,
  isPlatformAdministrator,
  type Principal,
  platformTenant,
} from '../principal.ts'
import type { ChangeQuery, ChangeRow, ChangeRows } from './contract.ts'

const maxPage = 1_000

/**
 * Gives administrators what was changed in their tenant, newest first. Throws `forbidden` for
 * anyone else, and for what holds for all tenants unless a platform administrator asks.
 */
export function createChangeQuery(rows: ChangeRows) {
  return async (by: Principal, query: ChangeQuery): Promise<ChangeRow[]> => {
    const { platform = false, ...asked } = query
    const mayAsk = platform ? isPlatformAdministrator(by) : isAdministrator(by)
    if (!mayAsk) throw new AppError('forbidden', 'only an administrator sees what was changed')
    const tenant_id = platform ? platformTenant : by.tenant_id
    return rows.query({ ...asked, tenant_id, limit: Math.min(query.limit, maxPage) })
  }
}
