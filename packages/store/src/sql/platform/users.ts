import { AppError, type User } from '@dataagent/schema'
import type { Transaction } from 'kysely'
import { countRows } from '../count-rows.ts'
import { held } from '../held.ts'
import { holdsText } from '../holds-text.ts'
import { insertChange } from '../hub/change-rows.ts'
import { assertId } from '../ids.ts'
import type { Page } from '../sessions.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { ApiKeyRow, Noted, PlatformOptions } from './tables.ts'

export type Users = ReturnType<typeof createUsers>
interface Search {
  q?: string | undefined
}
type UserChange = Partial<Pick<User, 'name' | 'role' | 'disabled_at'>>

export function createUsers({ db, engine }: PlatformOptions) {
  /** Who comes second counts what the first has made. */
  async function holdTenant(transaction: Transaction<Database>, tenant_id: string) {
    const query = transaction.selectFrom('tenants').select('tenant_id')
    const own = query.where('tenant_id', '=', tenant_id)
    const row = await held(engine.kind, own).executeTakeFirst()
    if (!row) throw new AppError('not_found', `there is no tenant ${tenant_id}`)
  }

  /** Who comes second waits, whichever tenant the first is of. */
  async function assertAnotherManagesAll(
    transaction: Transaction<Database>,
    { tenant_id, user_id }: Pick<User, 'tenant_id' | 'user_id'>,
  ): Promise<void> {
    const query = transaction
      .selectFrom('users')
      .select(['tenant_id', 'user_id'])
      .where('role', '=', 'platform_admin')
      .where('disabled_at', 'is', null)
      .orderBy('tenant_id')
      .orderBy('user_id')
    const all = await held(engine.kind, query).execute()
    if (all.some((other) => other.tenant_id !== tenant_id || other.user_id !== user_id)) return
    throw lastManager(`${user_id} is the last who manages the platform`)
  }

  function called(tenant_id: string, text: string | undefined) {
    const all = ofTenant(db, tenant_id)
    if (text === undefined) return all
    const holds = (column: string) => holdsText(engine.kind, column, text)
    return all.where(({ or }) => or([holds('users.user_id'), holds('users.name')]))
  }

  return {
    /**
     * Throws `conflict` where the id is taken in this tenant, `not_found` for an unknown tenant,
     * and `quota_exceeded` where the tenant has `max` users already: of any number at once, as many
     * succeed as there is room for.
     */
    async create(user: User, options: Noted & { max?: number | null } = {}): Promise<void> {
      const { note, max = null } = options
      assertId('user_id', user.user_id)
      await inTransaction(db, async (transaction) => {
        if (max !== null) {
          await holdTenant(transaction, user.tenant_id)
          if ((await countRows(ofTenant(transaction, user.tenant_id))) >= max) throw noRoom(max)
        }
        await transaction.insertInto('users').values(user).execute()
        await insertChange(transaction, note, null)
      })
    },

    async get(tenant_id: string, user_id: string): Promise<User | undefined> {
      const query = ofTenant(db, tenant_id).where('user_id', '=', user_id).selectAll()
      const row = await query.executeTakeFirst()
      return row?.user_id === user_id && row.tenant_id === tenant_id ? row : undefined
    },

    /** By user_id; with `q` those in whose name or id it is. */
    list: (tenant_id: string, { limit, offset, q }: Page & Search): Promise<User[]> =>
      called(tenant_id, q).selectAll().orderBy('user_id').limit(limit).offset(offset).execute(),

    count: (tenant_id: string, { q }: Search = {}) => countRows(called(tenant_id, q)),

    /**
     * Throws `not_found`; and `conflict` where the tenant would be left without a person who is not
     * disabled and manages it, or the installation without one who manages all of it. With a role
     * that manages nothing the user's keys no longer act for others.
     */
    update(tenant_id: string, user_id: string, change: UserChange, { note }: Noted = {}) {
      return inTransaction(db, async (transaction): Promise<User> => {
        await holdTenant(transaction, tenant_id)
        const query = ofTenant(transaction, tenant_id).where('user_id', '=', user_id).selectAll()
        const user = await query.executeTakeFirst()
        if (!user) throw new AppError('not_found', `there is no user ${user_id}`)
        const next = { ...user, ...change }
        if (managesAll(user) && !managesAll(next)) await assertAnotherManagesAll(transaction, user)
        if (manages(user) && !manages(next)) await assertAnotherManages(transaction, user)
        const { name, role, disabled_at } = next
        await transaction
          .updateTable('users')
          .set({ name, role, disabled_at })
          .where(({ and }) => and({ tenant_id, user_id }))
          .execute()
        if (role !== user.role && !isManager(role)) await endActing(transaction, user)
        await insertChange(transaction, note, null)
        return next
      })
    },

    /**
     * Enables the user, gives them this role and stores a key of theirs, all or nothing: for one
     * whom nobody else can let in. Throws `not_found`.
     */
    reinstate(
      user: Pick<User, 'tenant_id' | 'user_id' | 'role'>,
      key: ApiKeyRow,
      options: Noted = {},
    ) {
      const { tenant_id, user_id, role } = user
      return inTransaction(db, async (transaction): Promise<void> => {
        await transaction
          .updateTable('users')
          .set({ role, disabled_at: null })
          .where(({ and }) => and({ tenant_id, user_id }))
          .execute()
        await transaction.insertInto('api_keys').values(key).execute()
        await insertChange(transaction, options.note, null)
      })
    },
  }
}

const managers = ['admin', 'platform_admin'] as const

function manages({ role, disabled_at }: Pick<User, 'role' | 'disabled_at'>): boolean {
  return disabled_at === null && isManager(role)
}

function isManager(role: User['role']): boolean {
  return managers.some((manager) => manager === role)
}

function managesAll({ role, disabled_at }: Pick<User, 'role' | 'disabled_at'>): boolean {
  return disabled_at === null && role === 'platform_admin'
}

async function endActing(
  transaction: Transaction<Database>,
  { tenant_id, user_id }: Pick<User, 'tenant_id' | 'user_id'>,
): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set({ act_as: 0 })
    .where(({ and }) => and({ tenant_id, user_id }))
    .execute()
}

async function assertAnotherManages(
  transaction: Transaction<Database>,
  { tenant_id, user_id }: Pick<User, 'tenant_id' | 'user_id'>,
): Promise<void> {
  const other = await ofTenant(transaction, tenant_id)
    .select('user_id')
    .where('user_id', '<>', user_id)
    .where('role', 'in', managers)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw lastManager(`${user_id} is the last who manages the tenant`)
}

function ofTenant(db: PlatformOptions['db'], tenant_id: string) {
  return db.selectFrom('users').where('tenant_id', '=', tenant_id)
}

function lastManager(message: string): AppError {
  return new AppError('conflict', message, { data: { reason: 'last_manager' } })
}

function noRoom(max: number): AppError {
  const data = { limit: 'max_users', max }
  return new AppError('quota_exceeded', `the tenant may have ${max} users`, { data })
}
