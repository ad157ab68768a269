import type { Config } from '../config/index.ts'
import { toActed } from './acting.ts'
import { operator } from './admin-key.ts'
import type { ConfiguredKeys } from './configured-keys.ts'
import type { KeyStores } from './ports.ts'
import type { Principal } from './principal.ts'
import { isEnabled } from './proof.ts'
import type { StoredKeys } from './stored-keys.ts'

/**
 * What someone who was known by that key (null: by an identity provider) is now, by the tables
 * alone, and when that key ends; undefined where the user is gone or disabled, the key has ended,
 * or it was another's and may not act for the user any more.
 */
export type StillMay = (who: KnownBy) => Promise<StillKnown | undefined>

interface StillKnown {
  principal: Principal
  expires_at: number | null
}

interface KnownBy {
  tenant_id: string
  user_id: string
  user_key_id: string | null
}

export interface StillMayOptions {
  config: Pick<Config, 'auth_disabled'>
  stores(): Pick<KeyStores, 'tables'>
  configured: Pick<ConfiguredKeys, 'findById'>
  stored: Pick<StoredKeys, 'findById'>
}

export function createStillMay({ config, stores, configured, stored }: StillMayOptions): StillMay {
  async function byKey({ tenant_id, user_id }: KnownBy, key_id: string) {
    const proof = (await configured.findById(key_id)) ?? (await stored.findById(tenant_id, key_id))
    if (proof?.principal.tenant_id !== tenant_id) return undefined
    const { principal, act_as, expires_at = null } = proof
    if (principal.user_id === user_id) return { principal, expires_at }
    const acted = act_as ? await toActed(stores().tables, principal, user_id) : undefined
    return acted && { principal: acted, expires_at }
  }

  return async (who) => {
    const { tenant_id, user_id, user_key_id } = who
    const isOperator = tenant_id === operator.tenant_id && user_id === operator.user_id
    if (config.auth_disabled && isOperator) return { principal: operator, expires_at: null }
    if (user_key_id !== null) return byKey(who, user_key_id)
    const user = await stores().tables.users.get(tenant_id, user_id)
    if (!isEnabled(user)) return undefined
    return { principal: { tenant_id, user_id, role: user.role }, expires_at: null }
  }
}
