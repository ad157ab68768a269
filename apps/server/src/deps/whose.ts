import { AppError } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'

/** A person of a tenant. */
export interface Owner {
  tenant_id: string
  user_id: string
}

/**
 * Whose things a path speaks of: the caller's own, or those of a user whom the caller manages.
 * Throws `not_found` for anyone else.
 */
export function ownerOf({ tenant_id, user_id, role }: Principal, asked: string): Owner {
  const isManaged = role === 'admin' || role === 'platform_admin'
  if (asked !== user_id && !isManaged) throw new AppError('not_found', `there is no user ${asked}`)
  return { tenant_id, user_id: asked }
}

/**
 * The tenant that a request speaks of: the caller's own; another one where the caller manages the
 * platform. Throws `not_found`.
 */
export function tenantOf({ tenant_id, role }: Principal, asked = tenant_id): string {
  if (asked !== tenant_id && role !== 'platform_admin')
    throw new AppError('not_found', `there is no tenant ${asked}`)
  return asked
}
