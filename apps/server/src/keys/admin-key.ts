import type { Clock } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import type { KeyStores } from './ports.ts'
import type { Principal } from './principal.ts'

/** How an administrator gets in. `made` carries the key itself, which exists nowhere else. */
export type AdminKey =
  | { status: 'configured' }
  | { status: 'exists' }
  | { status: 'made'; key: string }

/** Whoever runs the server: every key of the configuration and the key made at the first start. */
export const operator: Principal = {
  tenant_id: 'default',
  user_id: 'admin',
  role: 'platform_admin',
}

export interface AdminKeyOptions extends KeyStores {
  clock: Clock
}

/** Makes the operator's tenant and user where absent. Safe in several processes at once. */
export async function seedOperator({ tables, clock }: Pick<AdminKeyOptions, 'tables' | 'clock'>) {
  const { tenant_id, user_id, role } = operator
  const created_at = clock.now()
  if (!(await tables.tenants.get(tenant_id))) {
    const tenant = { tenant_id, name: tenant_id, ...noLimits, features_enabled: [], created_at }
    await tables.tenants.create(tenant).catch(ignoreConflict)
  }
  if (!(await tables.users.get(tenant_id, user_id))) {
    const user = { tenant_id, user_id, name: user_id, role, created_at, disabled_at: null }
    await tables.users.create(user).catch(ignoreConflict)
  }
}

/**
 * Makes the first key, unless there is a usable one. Of several processes that start together one
 * shows its key.
 */
export async function ensureAdminKey(options: AdminKeyOptions): Promise<AdminKey> {
  const { tables, clock } = options
  if ((await tables.apiKeys.countUsable(clock.now())) > 0) return { status: 'exists' }
  const { key, key_id } = await makeAdminKey(options)
  const keys = await tables.apiKeys.list(operator.tenant_id, { limit: 1000, offset: 0 })
  const first = keys.find(
    ({ revoked_at, expires_at }) => revoked_at === null && expires_at === null,
  )
  if (first === undefined || first.key_id === key_id) return { status: 'made', key }
  await tables.apiKeys.revoke(operator.tenant_id, key_id, clock.now())
  return { status: 'exists' }
}

/** Makes, stores and gives back one more administrator key. */
export async function makeAdminKey({ tables, craft, clock }: AdminKeyOptions) {
  const { key, key_id } = craft.create()
  await tables.apiKeys.create({
    ...operator,
    key_id,
    ...craft.hash(key),
    name: 'administrator',
    created_at: clock.now(),
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  })
  return { key, key_id }
}

const noLimits = {
  max_users: null,
  max_sessions_per_user: null,
  max_mcp_servers: null,
  workspace_quota: null,
}

function ignoreConflict(error: unknown): void {
  if (!isAppError(error, 'conflict')) throw error
}
