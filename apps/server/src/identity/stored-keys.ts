import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { KeyHashes, StoredKey } from '../ports/index.ts'
import type { KeyStores } from './ports.ts'
import { ignoringFailure, isEnabled, isUsable, type Proof, roleOfAll } from './proof.ts'

/** How exact the time of last use is. */
export const touchEveryMs = 60_000

const longestKey = 512

export interface StoredKeys {
  /**
   * Undefined for a key that is unknown, wrong, expired, revoked, or of a user who is disabled: all
   * of them after the same work.
   */
  find(key: string): Promise<Proof | undefined>
  findById(tenant_id: string, key_id: string): Promise<Proof | undefined>
  /** Whose it is, also when it has ended. */
  holderOf(tenant_id: string, key_id: string): Promise<string | undefined>
}

export function createStoredKeys(stores: () => KeyStores, clock: Clock): StoredKeys {
  let nobodys: KeyHashes | undefined

  async function prove(row: StoredKey | undefined): Promise<Proof | undefined> {
    const { tables } = stores()
    const user = await tables.users.get(row?.tenant_id ?? 'default', row?.user_id ?? 'nobody')
    if (!row || !isEnabled(user) || !isUsable(row, clock.now())) return undefined
    const role = roleOfAll([row.role, user.role])
    if (!role) return undefined
    const { tenant_id, user_id, key_id, act_as, expires_at } = row
    const principal = { tenant_id, user_id, role, api_key: key_id }
    // Of one who has lost the role that the key was made with, it is that one's alone.
    return { principal, act_as: act_as === 1 && role === row.role, expires_at }
  }

  async function bookkeep(key: string, row: StoredKey, isStale: boolean): Promise<void> {
    const { tables, craft } = stores()
    if (isStale) await ignoringFailure(tables.apiKeys.rehash(row.key_id, craft.hash(key)))
    if (clock.now() - (row.last_used_at ?? 0) >= touchEveryMs)
      await ignoringFailure(tables.apiKeys.touch(row.key_id, clock.now()))
  }

  return {
    async find(key) {
      const { tables, craft } = stores()
      if (key.length > longestKey || craft.kindOf(key) === 'mistyped') return undefined
      nobodys ??= craft.hash(randomUUID())
      const row = await tables.apiKeys.findByHash(craft.lookup(key))
      const verdict = craft.verify(key, row ?? nobodys)
      const proof = await prove(verdict === 'wrong' ? undefined : row)
      if (row && proof) await bookkeep(key, row, verdict === 'stale')
      return proof
    },
    findById: async (tenant_id, key_id) =>
      prove(await stores().tables.apiKeys.get(tenant_id, key_id)),
    holderOf: async (tenant_id, key_id) =>
      (await stores().tables.apiKeys.get(tenant_id, key_id))?.user_id,
  }
}
