import { AppError } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { DataRoom, Platform } from '../platform/index.ts'
import { hasFeature } from '../tenants/index.ts'

/** Throws `not_found` where it is switched off, `forbidden` where the tenant may not use it. */
export function dataOf({ data, tenants }: Platform, { tenant_id }: Principal): DataRoom {
  if (data === undefined) {
    const message = 'Data is switched off. Start the server with DATAAGENT_DATA=true.'
    throw new AppError('not_found', message)
  }
  if (hasFeature(tenants.featuresOf(tenant_id), 'data')) return data
  throw new AppError('forbidden', 'Your organisation may not use data: see its features.')
}

/** Throws `not_found` for a source that the principal may not ask. */
export async function requireSource(
  { sources }: DataRoom,
  principal: Principal,
  source_id: string,
): Promise<void> {
  const found = await sources.list(principal)
  if (found.some((source) => source.source_id === source_id)) return
  throw new AppError('not_found', `there is no source ${source_id}`)
}

/** A row without whose it is: all of it is the caller's tenant's. */
export function withoutTenant<T extends { tenant_id: string }>({ tenant_id: _, ...row }: T) {
  return row
}
