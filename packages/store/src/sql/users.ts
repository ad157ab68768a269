import type { User } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import { assertId } from './ids.ts'
import type { Database } from './tables.ts'

export interface Users {
  /** Throws `conflict` where the id is taken in this tenant, `not_found` for an unknown tenant. */
  create(user: User): Promise<void>
  get(tenant_id: string, user_id: string): Promise<User | undefined>
  list(tenant_id: string, page: { limit: number; offset: number }): Promise<User[]>
  count(tenant_id: string): Promise<number>
  /** A user that is disabled at a time before now may do nothing. */
  setDisabled(tenant_id: string, user_id: string, disabled_at: number | null): Promise<void>
}

export function createUsers(db: Kysely<Database>): Users {
  return {
    async create(user) {
      assertId('user_id', user.user_id)
      await db.insertInto('users').values(user).execute()
    },

    async get(tenant_id, user_id) {
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .where('user_id', '=', user_id)
        .executeTakeFirst()
      return row?.user_id === user_id && row.tenant_id === tenant_id ? row : undefined
    },

    list: (tenant_id, { limit, offset }) =>
      db
        .selectFrom('users')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .orderBy('user_id')
        .limit(limit)
        .offset(offset)
        .execute(),

    async count(tenant_id) {
      const query = db.selectFrom('users').where('tenant_id', '=', tenant_id)
      const row = await query.select(({ fn }) => fn.countAll().as('n')).executeTakeFirst()
      return Number(row?.n ?? 0)
    },

    async setDisabled(tenant_id, user_id, disabled_at) {
      await db
        .updateTable('users')
        .set({ disabled_at })
        .where('tenant_id', '=', tenant_id)
        .where('user_id', '=', user_id)
        .execute()
    },
  }
}
