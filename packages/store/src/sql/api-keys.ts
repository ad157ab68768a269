import { AppError } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import type { ApiKeyRow, Database } from './tables.ts'
import { inTransaction } from './transaction.ts'

/** API keys as they are stored: hashes only, never the key. */
export interface ApiKeys {
  /** Throws `conflict` where the key exists, `not_found` for an unknown user. */
  create(key: ApiKeyRow): Promise<void>
  /**
   * Creates the key unless there is a usable one at `now`, and tells whether it did. Of several
   * processes that try at once for the same user, one does.
   */
  createFirst(key: ApiKeyRow, now: number): Promise<boolean>
  /** By the SHA-256 of the whole key; the caller checks the keyed MAC, expiry and revocation. */
  findByHash(hashed_api_key: string): Promise<ApiKeyRow | undefined>
  list(tenant_id: string, page: { limit: number; offset: number }): Promise<ApiKeyRow[]>
  /** Keys that are neither revoked nor expired at `now`, over all tenants. */
  countUsable(now: number): Promise<number>
  /** Throws `not_found`. A key that is revoked already keeps its first time. */
  revoke(tenant_id: string, key_id: string, revoked_at: number): Promise<void>
  touch(key_id: string, last_used_at: number): Promise<void>
  /** Stores the MAC under a new pepper. */
  rehash(key_id: string, mac: Pick<ApiKeyRow, 'key_mac' | 'pepper_kid'>): Promise<void>
}

export function createApiKeys(db: Kysely<Database>): ApiKeys {
  async function countUsable(from: Kysely<Database>, now: number) {
    const row = await from
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll().as('n'))
      .where('revoked_at', 'is', null)
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  }

  return {
    async create(key) {
      await db.insertInto('api_keys').values(key).execute()
    },

    createFirst: (key, now) =>
      inTransaction(db, async (transaction) => {
        // Holds the user's row, so that who comes second counts what the first has made.
        await transaction
          .updateTable('users')
          .set(({ ref }) => ({ name: ref('name') }))
          .where('tenant_id', '=', key.tenant_id)
          .where('user_id', '=', key.user_id)
          .execute()
        if ((await countUsable(transaction, now)) > 0) return false
        await transaction.insertInto('api_keys').values(key).execute()
        return true
      }),

    findByHash: (hashed_api_key) =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('hashed_api_key', '=', hashed_api_key)
        .executeTakeFirst(),

    list: (tenant_id, { limit, offset }) =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .orderBy('created_at')
        .orderBy('key_id')
        .limit(limit)
        .offset(offset)
        .execute(),

    countUsable: (now) => countUsable(db, now),

    async revoke(tenant_id, key_id, revoked_at) {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(revoked_at)) }))
        .where('tenant_id', '=', tenant_id)
        .where('key_id', '=', key_id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new AppError('not_found', `there is no API key ${key_id}`)
    },

    async touch(key_id, last_used_at) {
      await db.updateTable('api_keys').set({ last_used_at }).where('key_id', '=', key_id).execute()
    },

    async rehash(key_id, mac) {
      await db.updateTable('api_keys').set(mac).where('key_id', '=', key_id).execute()
    },
  }
}
