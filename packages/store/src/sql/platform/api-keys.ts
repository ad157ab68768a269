import { AppError } from '@dataagent/schema'
import type { Transaction } from 'kysely'
import { assertRoom } from '../assert-room.ts'
import { countRows } from '../count-rows.ts'
import { held } from '../held.ts'
import { insertChange } from '../hub/change-rows.ts'
import type { Page } from '../sessions.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { ApiKeyRow, Noted, NotedWithin, PlatformOptions } from './tables.ts'

export interface ApiKeys {
  /**
   * Throws `conflict` where the key exists, `not_found` for an unknown user, and `quota_exceeded`
   * where the user has `max` that are usable when it is made.
   */
  create(key: ApiKeyRow, options?: NotedWithin): Promise<void>
  /**
   * Creates the key unless there is a usable one at `now`, and tells whether it did. Of several
   * processes that try at once for the same user, one does.
   */
  createFirst(key: ApiKeyRow, now: number): Promise<boolean>
  /** By the SHA-256 of the whole key; the caller checks the keyed MAC, expiry and revocation. */
  findByHash(hashed_api_key: string): Promise<ApiKeyRow | undefined>
  get(tenant_id: string, key_id: string): Promise<ApiKeyRow | undefined>
  /** Oldest first. */
  listByUser(tenant_id: string, user_id: string, page: Page): Promise<ApiKeyRow[]>
  countByUser(tenant_id: string, user_id: string): Promise<number>
  /** Neither revoked nor expired at `now`, of all tenants. */
  countUsable(now: number): Promise<number>
  /** As `countUsable`, of those whose MAC is under another pepper than this. */
  countStale(pepper_kid: string, now: number): Promise<number>
  /** Throws `not_found`. A key that is revoked already keeps its first time, and is not noted. */
  revoke(tenant_id: string, key_id: string, revoked_at: number, options?: Noted): Promise<void>
  /**
   * Stores `next` and revokes `key_id`, of the same user, at `at`: both or neither. Throws
   * `not_found`, and `conflict` where the old one was revoked already: of several at once, one
   * takes place.
   */
  rotate(key_id: string, next: ApiKeyRow, at: number, options?: Noted): Promise<void>
  touch(key_id: string, last_used_at: number): Promise<void>
  /** Stores the MAC under a new pepper. */
  rehash(key_id: string, mac: Pick<ApiKeyRow, 'key_mac' | 'pepper_kid'>): Promise<void>
}

type KeyRef = Pick<ApiKeyRow, 'tenant_id' | 'key_id'> & { user_id?: string }

export function createApiKeys({ db, engine }: PlatformOptions): ApiKeys {
  const ofUser = (tenant_id: string, user_id: string) =>
    db.selectFrom('api_keys').where(({ and }) => and({ tenant_id, user_id }))

  /** Who comes second counts what the first has made. */
  async function holdUser(transaction: Transaction<Database>, { tenant_id, user_id }: ApiKeyRow) {
    const user = transaction.selectFrom('users').select('user_id')
    await held(
      engine.kind,
      user.where(({ and }) => and({ tenant_id, user_id })),
    ).execute()
  }

  async function assertRoomFor(transaction: Transaction<Database>, key: ApiKeyRow, max: number) {
    await holdUser(transaction, key)
    const { tenant_id, user_id } = key
    const own = usableAt(transaction, key.created_at).where(({ and }) =>
      and({ tenant_id, user_id }),
    )
    const room = { limit: 'api_keys', who: 'a user may have', what: 'API keys' }
    await assertRoom(own, { ...room, max })
  }

  return {
    create: (key, { note, max } = {}) =>
      inTransaction(db, async (transaction) => {
        if (max !== undefined) await assertRoomFor(transaction, key, max)
        await transaction.insertInto('api_keys').values(key).execute()
        await insertChange(transaction, note, null)
      }),

    createFirst: (key, now) =>
      inTransaction(db, async (transaction) => {
        await holdUser(transaction, key)
        if ((await countRows(usableAt(transaction, now))) > 0) return false
        await transaction.insertInto('api_keys').values(key).execute()
        return true
      }),

    findByHash: (hashed_api_key) =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('hashed_api_key', '=', hashed_api_key)
        .executeTakeFirst(),

    get: (tenant_id, key_id) => find(db, { tenant_id, key_id }),

    listByUser: (tenant_id, user_id, { limit, offset }) =>
      ofUser(tenant_id, user_id)
        .selectAll()
        .orderBy('created_at')
        .orderBy('key_id')
        .limit(limit)
        .offset(offset)
        .execute(),

    countByUser: (tenant_id, user_id) => countRows(ofUser(tenant_id, user_id)),

    countUsable: (now) => countRows(usableAt(db, now)),

    countStale: (pepper_kid, now) =>
      countRows(usableAt(db, now).where('pepper_kid', '!=', pepper_kid)),

    revoke: (tenant_id, key_id, revoked_at, { note } = {}) =>
      inTransaction(db, async (transaction) => {
        if ((await revokeOnce(transaction, { tenant_id, key_id }, revoked_at)) === 'revoked') {
          await insertChange(transaction, note, null)
        }
      }),

    rotate: (key_id, next, at, { note } = {}) =>
      inTransaction(db, async (transaction) => {
        const { tenant_id, user_id } = next
        const verdict = await revokeOnce(transaction, { tenant_id, user_id, key_id }, at)
        if (verdict === 'was revoked') {
          throw new AppError('conflict', `the API key ${key_id} is revoked already`)
        }
        await transaction.insertInto('api_keys').values(next).execute()
        await insertChange(transaction, note, null)
      }),

    async touch(key_id, last_used_at) {
      await db.updateTable('api_keys').set({ last_used_at }).where('key_id', '=', key_id).execute()
    },

    async rehash(key_id, mac) {
      await db.updateTable('api_keys').set(mac).where('key_id', '=', key_id).execute()
    },
  }
}

async function find(db: PlatformOptions['db'], ref: KeyRef): Promise<ApiKeyRow | undefined> {
  const query = db.selectFrom('api_keys').selectAll()
  const row = await query.where(({ and }) => and({ ...ref })).executeTakeFirst()
  return row?.key_id === ref.key_id && row.tenant_id === ref.tenant_id ? row : undefined
}

function usableAt(db: PlatformOptions['db'], now: number) {
  const valid = db.selectFrom('api_keys').where('revoked_at', 'is', null)
  return valid.where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
}

/** Throws `not_found`. */
async function revokeOnce(
  transaction: Transaction<Database>,
  ref: KeyRef,
  revoked_at: number,
): Promise<'revoked' | 'was revoked'> {
  const { numUpdatedRows } = await transaction
    .updateTable('api_keys')
    .set({ revoked_at })
    .where(({ and }) => and({ ...ref }))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return 'revoked'
  if (await find(transaction, ref)) return 'was revoked'
  throw new AppError('not_found', `there is no API key ${ref.key_id}`)
}
