import type { Groups } from '../groups/index.ts'
import { coversEndpoint } from '../oauth/index.ts'
import type { GroupRow } from '../ports.ts'
import type { Caller } from '../protocol/index.ts'
import { prefixes, scopes, type TokenSession, type Tokens } from '../tokens/index.ts'
import type { Admission, Admit, Endpoint } from './contract.ts'
import { createRemembered } from './remembered.ts'

export interface AdmitOptions {
  tokens: Pick<Tokens, 'find' | 'hashOf'>
  groups: Pick<Groups, 'get' | 'holds' | 'findByKey'>
  publicUrl(): string
}

const maxKnown = 1_000

/** A token or a group's key opens its group, as long as both hold. */
export function createAdmit({ tokens, groups, publicUrl }: AdmitOptions): Admit {
  const known = createRemembered<{ group: GroupRow; key_id: string; caller: Caller }>(maxKnown)
  const hashes = createRemembered<string>(maxKnown)

  /** A key that was proved is not proved again while its group is as it was. */
  function byKey(key: string): Admission {
    const held = known.get(key)
    const isSame = held !== undefined && groups.get(held.group.group_id) === held.group
    if (isSame && groups.holds(held.group.group_id, held.key_id)) {
      return { status: 'ok', caller: held.caller }
    }
    const verdict = groups.findByKey(key)
    if (verdict.status !== 'ok') return { status: 'invalid' }
    const { group, key_id } = verdict
    const caller = toCaller({
      ...{ tenant_id: group.tenant_id, group_id: group.group_id, group_name: group.name },
      ...{ user_id: null, scopes, client: 'API key' },
      ...{ credential: tokens.hashOf(key), owner_key: key_id, quota_key: key_id, key_id },
      ...{ group_made_at: group.created_at, expires_at: null },
    })
    known.set(key, { group, key_id, caller })
    return { status: 'ok', caller }
  }

  function hashOf(token: string): string {
    return hashes.get(token) ?? hashes.set(token, tokens.hashOf(token))
  }

  async function byToken(token: string, { path }: Endpoint): Promise<Admission> {
    const session = await tokens.find(token)
    if (session === undefined || !coversEndpoint(session, path, publicUrl())) {
      return { status: 'invalid' }
    }
    const group = groups.get(session.group_id)
    if (group === undefined || !groups.holds(session.group_id, session.key_id)) {
      return { status: 'invalid' }
    }
    const credential = hashOf(token)
    const owner_key = session.grant_id ?? session.key_id ?? credential
    // A new grant, or a new token, is no new quota.
    const quota_key = session.key_id ?? `user ${session.user_id}`
    const known = { group_name: group.name, credential, owner_key, quota_key }
    const caller = toCaller({ ...session, ...known })
    return { status: 'ok', caller }
  }

  async function find(credential: string, endpoint: Endpoint): Promise<Admission> {
    if (credential.startsWith(prefixes.group_key)) return byKey(credential)
    if (credential.startsWith(prefixes.session)) return byToken(credential, endpoint)
    return { status: 'invalid' }
  }

  return async (credential, endpoint) => {
    if (credential === undefined) return { status: 'missing' }
    const found = await find(credential, endpoint)
    const { group_id } = endpoint
    if (found.status !== 'ok' || group_id === undefined) return found
    return found.caller.group_id === group_id ? found : { status: 'invalid' }
  }
}

type Found = Pick<TokenSession, 'tenant_id' | 'user_id'> & Omit<Caller, 'principal' | 'profile'>

/** The URL decides the profile, not who made the token: other endpoints answer as the standard. */
function toCaller(found: Found): Caller {
  const { tenant_id, user_id, group_id, group_name, group_made_at, client, scopes } = found
  const { credential, owner_key, quota_key, key_id, expires_at } = found
  const principal = { tenant_id, user_id, role: 'user', group_id } as const
  return {
    ...{ principal, group_id, group_name, group_made_at, scopes, client },
    ...{ credential, owner_key, quota_key, key_id, expires_at, profile: 'standard' },
  }
}
