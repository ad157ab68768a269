import { AppError, readJson, type Session } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import { countRows } from './count-rows.ts'
import type { Engine } from './engine.ts'
import { held } from './held.ts'
import { assertId } from './ids.ts'
import { holdSessionsOf } from './session-quota.ts'
import { findHolding } from './session-search.ts'
import { toStorableText } from './storable-text.ts'
import type { Database, SessionRow } from './tables.ts'
import { inTransaction } from './transaction.ts'

export type SessionChange = Partial<
  Pick<Session, 'assistant_id' | 'last_active' | 'state' | 'metadata'>
>

export interface Page {
  limit: number
  offset: number
}

/** A session is found only under its own tenant. */
export interface Sessions {
  /**
   * Throws `conflict` where the id is taken, by any tenant, and `quota_exceeded` where the user has
   * `max` sessions already: of any number at once, as many succeed as there is room for.
   */
  create(session: Session, options?: { max?: number | undefined }): Promise<void>
  get(tenant_id: string, session_id: string): Promise<Session | undefined>
  /**
   * Changes of one session are made one after another, each on what the one before left. Throws
   * `not_found`.
   */
  update(
    tenant_id: string,
    session_id: string,
    change: (session: Session) => SessionChange,
  ): Promise<Session>
  /** Deletes the session with its messages and events; false where there was none. */
  delete(tenant_id: string, session_id: string): Promise<boolean>
  /** Latest activity first. */
  listByUser(tenant_id: string, user_id: string, page: Page): Promise<Session[]>
  listByAssistant(tenant_id: string, assistant_id: string, page: Page): Promise<Session[]>
  countByUser(tenant_id: string, user_id: string): Promise<number>
  /**
   * Those of a user whose title (`metadata.title`) or messages hold a text: as it is, without
   * regard to case as far as the database can. Latest activity first.
   */
  search(tenant_id: string, user_id: string, text: string, page: Page): Promise<Session[]>
  countFound(tenant_id: string, user_id: string, text: string): Promise<number>
  /**
   * Deletes at most `limit` sessions, of all tenants, that were last active before `before`; gives
   * their ids.
   */
  cleanupExpired(options: { before: number; limit: number }): Promise<string[]>
}

export interface SessionsOptions {
  db: Kysely<Database>
  engine: Engine
  onDeleted(session_id: string): void
}

export function createSessions({ db, engine, onDeleted }: SessionsOptions): Sessions {
  const select = () => db.selectFrom('sessions').selectAll()
  const ofUser = (from: Kysely<Database>, tenant_id: string, user_id: string) =>
    from.selectFrom('sessions').where(({ and }) => and({ tenant_id, user_id }))

  async function list(query: ReturnType<typeof select>, { limit, offset }: Page) {
    const ordered = query.orderBy('last_active', 'desc').orderBy('session_id')
    return (await ordered.limit(limit).offset(offset).execute()).map(fromRow)
  }

  return {
    async create(session, { max } = {}) {
      const { session_id, tenant_id, user_id } = session
      assertId('session_id', session_id)
      assertId('user_id', user_id)
      const insert = (to: Kysely<Database>) =>
        to.insertInto('sessions').values(toRow(session)).execute()
      if (max === undefined) return void (await insert(db))
      await inTransaction(db, async (transaction) => {
        await holdSessionsOf(transaction, engine.kind, { tenant_id, user_id })
        if ((await countRows(ofUser(transaction, tenant_id, user_id))) >= max) throw noRoom(max)
        await insert(transaction)
      })
    },

    async get(tenant_id, session_id) {
      const query = select().where('session_id', '=', session_id)
      const row = await query.where('tenant_id', '=', tenant_id).executeTakeFirst()
      return row?.session_id === session_id && row.tenant_id === tenant_id
        ? fromRow(row)
        : undefined
    },

    update: (tenant_id, session_id, change) =>
      inTransaction(db, async (transaction) => {
        const query = transaction
          .selectFrom('sessions')
          .selectAll()
          .where('session_id', '=', session_id)
          .where('tenant_id', '=', tenant_id)
        const row = await held(engine.kind, query).executeTakeFirst()
        if (!row) throw new AppError('not_found', `there is no session ${session_id}`)
        const session = { ...fromRow(row), ...change(fromRow(row)) }
        const { assistant_id, last_active, state, metadata, title } = toRow(session)
        await transaction
          .updateTable('sessions')
          .set({ assistant_id, last_active, state, metadata, title })
          .where('session_id', '=', session_id)
          .execute()
        return session
      }),

    async delete(tenant_id, session_id) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('session_id', '=', session_id)
        .where('tenant_id', '=', tenant_id)
        .executeTakeFirst()
      onDeleted(session_id)
      return numDeletedRows > 0n
    },

    listByUser: (tenant_id, user_id, page) =>
      list(ofUser(db, tenant_id, user_id).selectAll(), page),

    listByAssistant: (tenant_id, assistant_id, page) =>
      list(
        select().where('tenant_id', '=', tenant_id).where('assistant_id', '=', assistant_id),
        page,
      ),

    countByUser: (tenant_id, user_id) => countRows(ofUser(db, tenant_id, user_id)),

    async search(tenant_id, user_id, text, { limit, offset }) {
      const wanted = { tenant_id, user_id, text }
      const rows = await findHolding({ db, engine }, wanted, offset + limit)
      return rows.slice(offset, offset + limit).map(fromRow)
    },

    countFound: async (tenant_id, user_id, text) =>
      (await findHolding({ db, engine }, { tenant_id, user_id, text }, Infinity)).length,

    async cleanupExpired({ before, limit }) {
      const expired = await db
        .selectFrom('sessions')
        .select('session_id')
        .where('last_active', '<', before)
        .orderBy('last_active')
        .limit(limit)
        .execute()
      const deleted: string[] = []
      for (const { session_id } of expired) {
        // Asked again: the session may have come to life since it was listed.
        const { numDeletedRows } = await db
          .deleteFrom('sessions')
          .where('session_id', '=', session_id)
          .where('last_active', '<', before)
          .executeTakeFirst()
        if (numDeletedRows > 0n) deleted.push(session_id)
      }
      deleted.forEach(onDeleted)
      return deleted
    },
  }
}

function toRow(session: Session): SessionRow {
  const { title } = session.metadata
  return {
    ...session,
    state: JSON.stringify(session.state),
    metadata: JSON.stringify(session.metadata),
    title: typeof title === 'string' ? toStorableText(title) : null,
  }
}

function fromRow({ title, ...row }: SessionRow): Session {
  return {
    ...row,
    state: readJson(row.state) as Session['state'],
    metadata: readJson(row.metadata) as Session['metadata'],
  }
}

function noRoom(max: number): AppError {
  const data = { limit: 'max_sessions_per_user', max }
  return new AppError('quota_exceeded', `a user may have ${max} sessions: delete one first`, {
    data,
  })
}
