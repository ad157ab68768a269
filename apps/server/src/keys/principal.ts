import type { Role } from '@dataagent/schema'

/** Who calls, as the credential says; nothing in a path, a header or a body changes it. */
export interface Principal {
  tenant_id: string
  user_id: string
  role: Role
}

/** What a route asks of its caller: nothing, or at least this role. */
export type Access = 'public' | Role

const rank: Record<Role, number> = { user: 0, admin: 1, platform_admin: 2 }

/** Whether the principal's role is the one asked for, or a higher one. */
export function mayAccess({ role }: Principal, asked: Role): boolean {
  return rank[role] >= rank[asked]
}
