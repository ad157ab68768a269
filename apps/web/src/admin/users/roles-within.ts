import type { Role } from '@dataagent/schema'

const within: Record<Role, readonly Role[]> = {
  platform_admin: ['user', 'auditor', 'admin', 'platform_admin'],
  admin: ['user', 'auditor', 'admin'],
  user: ['user'],
  auditor: ['auditor'],
}

/** Roles that allow nothing which this one does not: what its holder may give. */
export function rolesWithin(role: Role): readonly Role[] {
  return within[role]
}
