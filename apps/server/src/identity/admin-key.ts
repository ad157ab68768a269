import type { Clock } from '@dataagent/guard'
import type { KeyStores } from './ports.ts'
import type { Principal } from './principal.ts'

/** How an administrator gets in. `made` carries the key itself, which exists nowhere else. */
export type AdminKey =
  | { status: 'configured' }
  | { status: 'exists' }
  | { status: 'made'; key: string }

/** Whoever runs the server: the holder of the key made at the first start. */
export const operator: Principal = {
  tenant_id: 'default',
  user_id: 'admin',
  role: 'platform_admin',
}

export interface AdminKeyOptions extends KeyStores {
  clock: Clock
}

/** Makes the first key, unless there is a usable one. Of processes that start together one does. */
export async function ensureAdminKey(options: AdminKeyOptions): Promise<AdminKey> {
  const { tables, clock } = options
  if ((await tables.apiKeys.countUsable(clock.now())) > 0) return { status: 'exists' }
  const { key, row } = craftAdminKey(options)
  const isMade = await tables.apiKeys.createFirst(row, clock.now())
  return isMade ? { status: 'made', key } : { status: 'exists' }
}

/** Makes, stores and gives back one more administrator key. */
export async function makeAdminKey(options: AdminKeyOptions) {
  const { key, row } = craftAdminKey(options)
  await options.tables.apiKeys.create(row)
  return { key, key_id: row.key_id }
}

function craftAdminKey({ craft, clock }: AdminKeyOptions) {
  const { key, key_id } = craft.create()
  const { tenant_id, user_id, role } = operator
  const row = {
    ...{ tenant_id, user_id, role, key_id, ...craft.hash(key), name: 'administrator', act_as: 0 },
    ...{ created_at: clock.now(), expires_at: null, revoked_at: null, last_used_at: null },
  }
  return { key, row }
}
