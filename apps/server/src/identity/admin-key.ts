import type { Clock } from '@dataagent/guard'
import type { Note } from '@dataagent/hub'
import type { KeyStores } from './ports.ts'
import type { Principal } from './principal.ts'
import { isEnabled } from './proof.ts'

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

/** One more administrator key. */
export interface NewAdminKey {
  key: string
  /** Whether the operator's user had been disabled or had lost its role, and has both again. */
  isReinstated: boolean
}

/**
 * Makes, stores and gives back one more administrator key. Where its user could do nothing with it,
 * that changes with it, and is noted: nobody else may be there to help.
 */
export async function makeAdminKey(
  options: AdminKeyOptions & { note: Note },
): Promise<NewAdminKey> {
  const { tables, note } = options
  const { key, row } = craftAdminKey(options)
  const { tenant_id, user_id, role } = operator
  const before = await tables.users.get(tenant_id, user_id)
  if (before === undefined || (isEnabled(before) && before.role === role)) {
    await tables.apiKeys.create(row)
    return { key, isReinstated: false }
  }
  const after = { ...before, role, disabled_at: null }
  const action = isEnabled(before) ? 'changed' : 'enabled'
  const happened = { tenant_id, kind: 'user', target: user_id, action, before, after } as const
  await tables.users.reinstate({ tenant_id, user_id, role }, row, {
    note: note(operator, happened),
  })
  return { key, isReinstated: true }
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
