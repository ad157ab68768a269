import type { Principal as HubPrincipal } from '@dataagent/hub'
import type { Role } from '@dataagent/schema'

/**
 * Who calls, as the credential says; nothing in a path or a body changes it. Where the holder of a
 * key acts for someone else, that is `user_id`, and the holder `acting_user`.
 */
export interface Principal extends HubPrincipal {
  user_id: string
}

/** Who calls, and how the server knows. */
export interface Caller {
  principal: Principal
  /** `none`: authentication is off. */
  via: 'api_key' | 'cookie' | 'none'
}

/**
 * What a route asks of its caller: nothing; to be signed in; to be one who acts (an auditor does
 * not); one who may read what happened in the tenant; one who manages the tenant; or the platform.
 */
export type Access = 'public' | 'member' | 'user' | 'auditor' | 'admin' | 'platform_admin'

const rolesOf: Record<Exclude<Access, 'public'>, readonly Role[]> = {
  member: ['auditor', 'user', 'admin', 'platform_admin'],
  user: ['user', 'admin', 'platform_admin'],
  auditor: ['auditor', 'admin', 'platform_admin'],
  admin: ['admin', 'platform_admin'],
  platform_admin: ['platform_admin'],
}

/** Whether the principal's role is one of those asked for. */
export function mayAccess({ role }: Principal, asked: Exclude<Access, 'public'>): boolean {
  return rolesOf[asked].includes(role)
}

const grantable: Record<Role, readonly Role[]> = {
  platform_admin: ['platform_admin', 'admin', 'user', 'auditor'],
  admin: ['admin', 'user', 'auditor'],
  user: ['user'],
  auditor: ['auditor'],
}

/** Whether `role` allows nothing that `own` does not: who has `own` may give it to others. */
export function mayGrant(own: Role, role: Role): boolean {
  return grantable[own].includes(role)
}

/**
 * The role that allows what both allow; undefined where that is none. A key keeps no right that its
 * user has lost.
 */
export function jointRole(one: Role, other: Role): Role | undefined {
  if (mayGrant(one, other)) return other
  return mayGrant(other, one) ? one : undefined
}
