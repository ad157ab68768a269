import { AppError, readJson, type Session } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import { assertId } from './ids.ts'
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
  /** Throws `conflict` where the id is taken, by any tenant. */
  create(session: Session): Promise<void>
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

  async function list(query: ReturnType<typeof select>, { limit, offset }: Page) {
    const ordered = query.orderBy('last_active', 'desc').orderBy('session_id')
    return (await ordered.limit(limit).offset(offset).execute()).map(fromRow)
  }

  return {
    async create(session) {
      assertId('session_id', session.session_id)
      assertId('user_id', session.user_id)
      await db.insertInto('sessions').values(toRow(session)).execute()
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
        // SQLite has no row locks: its transactions hold the whole file for writing.
        const row = await (engine.kind === 'sqlite' ? query : query.forUpdate()).executeTakeFirst()
        if (!row) throw new AppError('not_found', `there is no session ${session_id}`)
        const session = { ...fromRow(row), ...change(fromRow(row)) }
        const { assistant_id, last_active, state, metadata } = toRow(session)
        await transaction
          .updateTable('sessions')
          .set({ assistant_id, last_active, state, metadata })
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
      list(select().where('tenant_id', '=', tenant_id).where('user_id', '=', user_id), page),

    listByAssistant: (tenant_id, assistant_id, page) =>
      list(
        select().where('tenant_id', '=', tenant_id).where('assistant_id', '=', assistant_id),
        page,
      ),

    async countByUser(tenant_id, user_id) {
      const row = await db
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll().as('n'))
        .where('tenant_id', '=', tenant_id)
        .where('user_id', '=', user_id)
        .executeTakeFirst()
      return Number(row?.n ?? 0)
    },

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
  return {
    ...session,
    state: JSON.stringify(session.state),
    metadata: JSON.stringify(session.metadata),
  }
}

function fromRow(row: SessionRow): Session {
  return {
    ...row,
    state: readJson(row.state) as Session['state'],
    metadata: readJson(row.metadata) as Session['metadata'],
  }
}
