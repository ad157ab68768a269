import { AppError } from '@dataagent/schema'
import {
  isPlatformAdministrator,
  type Principal,
  platformTenant,
  seesRecords,
} from '../principal.ts'
import type { ChangeQuery, ChangeRow, ChangeRows } from './contract.ts'

const maxPage = 1_000

/**
 * Gives administrators and auditors what was changed in their tenant, newest first. Throws
 * `forbidden` for anyone else, and for what holds for all tenants unless a platform administrator
 * asks.
 */
export function createChangeQuery(rows: ChangeRows) {
  return async (by: Principal, query: ChangeQuery): Promise<ChangeRow[]> => {
    const { platform = false, ...asked } = query
    const mayAsk = platform ? isPlatformAdministrator(by) : seesRecords(by)
    if (!mayAsk) {
      const message = 'only an administrator or an auditor sees what was changed'
      throw new AppError('forbidden', message)
    }
    const tenant_id = platform ? platformTenant : by.tenant_id
    return rows.query({ ...asked, tenant_id, limit: Math.min(query.limit, maxPage) })
  }
}
