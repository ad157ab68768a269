import { isAppError, type Me, meSchema } from '@dataagent/schema'
import { callerOf, defineRoute, type Route } from '../deps/index.ts'
import type { Caller } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'

/** Who the caller is. */
export function meRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/me', tag: 'sign-in', access: 'member' },
      summary: 'Who you are, as the server sees it.',
      answer: meSchema,
      handle: ({ request }) => toMe(callerOf(request), platform),
    }),
  ]
}

export async function toMe({ principal, via }: Caller, platform: GetPlatform): Promise<Me> {
  const { tenant_id, user_id, role, api_key = null, acting_user } = principal
  const name = await nameOf(principal, platform)
  const me = { tenant_id, user_id, role, name, via, key_id: api_key }
  return acting_user === undefined ? me : { ...me, acting_for: user_id }
}

/** A configured key gets in also while the database is away. */
async function nameOf({ tenant_id, user_id }: Caller['principal'], platform: GetPlatform) {
  try {
    return (await platform().tables.users.get(tenant_id, user_id))?.name ?? user_id
  } catch (error) {
    if (isAppError(error, 'store_unavailable')) return user_id
    throw error
  }
}
