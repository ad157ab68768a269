import type { Clock } from '@dataagent/guard'
import { isAppError, type Secret, type User } from '@dataagent/schema'
import { parseKeyEntry } from '../config/index.ts'
import type { Tables } from '../ports/index.ts'
import { operator } from './admin-key.ts'

export interface SeedOptions {
  tables: Pick<Tables, 'tenants' | 'users'>
  clock: Clock
  config: { api_keys: readonly Secret[] }
}

/**
 * Makes the operator, and the users and tenants of the configured keys, where absent. Safe in
 * several processes at once.
 */
export async function seedOperator({ tables, clock, config }: SeedOptions): Promise<void> {
  const entries = config.api_keys.map((entry) => parseKeyEntry(entry.reveal()))
  for (const { tenant_id, user_id, role } of [operator, ...entries]) {
    await seedTenant({ tables, clock }, tenant_id)
    await seedUser({ tables, clock }, { tenant_id, user_id, role })
  }
}

type Seeding = Pick<SeedOptions, 'tables' | 'clock'>

async function seedTenant({ tables, clock }: Seeding, tenant_id: string): Promise<void> {
  if (await tables.tenants.get(tenant_id)) return
  const names = { tenant_id, name: tenant_id, features_enabled: ['*'] }
  const tenant = { ...names, ...noLimits, created_at: clock.now() }
  await tables.tenants.create(tenant).catch(ignoreConflict)
}

async function seedUser(
  { tables, clock }: Seeding,
  user: Pick<User, 'tenant_id' | 'user_id' | 'role'>,
): Promise<void> {
  if (await tables.users.get(user.tenant_id, user.user_id)) return
  const row = { ...user, name: user.user_id, created_at: clock.now(), disabled_at: null }
  await tables.users.create(row).catch(ignoreConflict)
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
