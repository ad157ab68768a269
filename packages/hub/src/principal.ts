import type { Role } from '@dataagent/schema'
import { sha256 } from './canonical-json.ts'

/**
 * Who calls, as the credential says; never what a request says of itself. Every identity that is
 * set must be allowed the tool: an agent that a user talks to through an API key is three.
 */
export interface Principal {
  tenant_id: string
  /** The person, or null where a machine calls for nobody in particular. */
  user_id: string | null
  role: Role
  agent_id?: string | undefined
  /** `key_id` of the API key. */
  api_key?: string | undefined
  /** `group_id` of the gateway's tool group. */
  group_id?: string | undefined
  /** Who acts in the user's place, as the record of changes names them: an administrator. */
  acting_user?: string | undefined
}

/** The tenant of servers and rules that hold for the whole installation. No caller is of it. */
export const platformTenant = '*'

/**
 * Whether every id of the principal can be that of one tenant, user, agent, key or group: not empty
 * (a shared server's owner), and not `*` (all of a kind). Any other has no rights.
 */
export function isSomeone(principal: Principal): boolean {
  return isOne(principal.tenant_id) && areOnes(principal)
}

/** Whether an agent or a tool group calls: for whomever, it changes no rule and no server. */
export function isMachine({ agent_id, group_id }: Principal): boolean {
  return agent_id !== undefined || group_id !== undefined
}

/** Whether the principal reads what happened in its tenant, and does nothing. */
export function isAuditor({ role }: Principal): boolean {
  return role === 'auditor'
}

/** Whether the principal is someone who may do something. */
export function isActive(principal: Principal): boolean {
  return isSomeone(principal) && !isAuditor(principal)
}

/** Whether the principal sees the record of all calls and changes of its tenant. */
export function seesRecords(principal: Principal): boolean {
  if (isAdministrator(principal)) return true
  return isAuditor(principal) && isSomeone(principal) && !isMachine(principal)
}

/** Whether the principal manages its tenant. */
export function isAdministrator(principal: Principal): boolean {
  if (isMachine(principal)) return false
  if (principal.role === 'admin') return isSomeone(principal)
  return isPlatformAdministrator(principal)
}

/** Whether the principal manages the installation; it may be of the platform's tenant. */
export function isPlatformAdministrator(principal: Principal): boolean {
  const { role, tenant_id } = principal
  if (role !== 'platform_admin' || isMachine(principal)) return false
  return (tenant_id === platformTenant || isOne(tenant_id)) && areOnes(principal)
}

function areOnes({ user_id, agent_id, api_key, group_id }: Principal): boolean {
  return (
    (user_id === null || isOne(user_id)) &&
    (agent_id === undefined || isOne(agent_id)) &&
    (api_key === undefined || isOne(api_key)) &&
    (group_id === undefined || isOne(group_id))
  )
}

function isOne(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id !== '*'
}

/** Whom an allow-list, a rule or a limit speaks of. */
export const subjectKinds = ['agent', 'api_key', 'group', 'user', 'tenant'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export interface Subject {
  kind: SubjectKind
  /** `*` is every one of that kind in the tenant. */
  id: string
}

/** One text for one caller, over all its identities: what a decision or a result belongs to. */
export function toCallerKey(principal: Principal): string {
  const { tenant_id, user_id, agent_id, api_key, group_id } = principal
  return sha256(JSON.stringify([tenant_id, user_id, agent_id, api_key, group_id]))
}
