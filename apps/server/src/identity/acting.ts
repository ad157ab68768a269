import type { Tables } from '../ports/index.ts'
import type { Principal } from './principal.ts'
import { isEnabled } from './proof.ts'

/** The holder of a key as another user of the tenant; undefined where nobody acts for that one. */
export async function toActed(
  { users }: Pick<Tables, 'users'>,
  { tenant_id, api_key, user_id: acting_user }: Principal,
  user_id: string,
): Promise<Principal | undefined> {
  const user = await users.get(tenant_id, user_id)
  if (!isEnabled(user) || user.role !== 'user') return undefined
  return { tenant_id, user_id, role: user.role, api_key, acting_user }
}
