import type { Clock } from '@dataagent/guard'
import { type Role, roleSchema } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { ApiKeys, RunRow, Users } from '../ports/index.ts'

export interface FormerPrincipal {
  principal: Principal
  /** False for one who may do nothing any more: what they left is ended. */
  mayGoOn: boolean
}

/** From least to most. */
const ranks: readonly Role[] = ['auditor', 'user', 'admin', 'platform_admin']

/** Who had begun a run, with no more rights than they have now. */
export async function toFormerPrincipal(
  { users, apiKeys, clock }: Sources,
  { tenant_id, user_id, role, api_key }: RunRow,
): Promise<FormerPrincipal> {
  const [user, key] = await Promise.all([
    users.get(tenant_id, user_id),
    api_key === null ? undefined : apiKeys.get(tenant_id, api_key),
  ])
  const then = roleSchema.parse(role)
  const now = lower(then, user?.role ?? then)
  const principal = { tenant_id, user_id, role: now, ...(api_key === null ? {} : { api_key }) }
  const isUsable =
    key === undefined ||
    (key.revoked_at === null && (key.expires_at === null || key.expires_at > clock.now()))
  const isEnabled = user !== undefined && user.disabled_at === null
  return { principal, mayGoOn: isEnabled && isUsable && now !== 'auditor' }
}

interface Sources {
  users: Pick<Users, 'get'>
  apiKeys: Pick<ApiKeys, 'get'>
  clock: Clock
}

function lower(one: Role, other: Role): Role {
  return ranks.indexOf(one) <= ranks.indexOf(other) ? one : other
}
