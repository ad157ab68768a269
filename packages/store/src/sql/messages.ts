import type { Kysely } from 'kysely'
import { countRows } from './count-rows.ts'
import type { Engine } from './engine.ts'
import { toStorableText } from './storable-text.ts'
import type { Database, MessageRow } from './tables.ts'

export interface Messages {
  /**
   * Stores messages of a session, all or none. `seq` is that of the event a message was made from,
   * so that saving a turn twice is a `conflict`, not a second copy. Throws `not_found` for an
   * unknown session.
   */
  add(messages: readonly MessageRow[]): Promise<void>
  /** Oldest first. */
  list(session_id: string, page: { limit: number; offset: number }): Promise<MessageRow[]>
  count(session_id: string): Promise<number>
}

const columns = ['message_id', 'session_id', 'seq', 'role', 'content', 'created_at'] as const

export function createMessages({ db, engine }: { db: Kysely<Database>; engine: Engine }): Messages {
  return {
    add: (messages) =>
      engine.insertMany(
        'messages',
        columns,
        messages.map((message) => {
          const row = { ...message, content: toStorableText(message.content) }
          return columns.map((column) => row[column])
        }),
      ),

    list: (session_id, { limit, offset }) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('session_id', '=', session_id)
        .orderBy('seq')
        .limit(limit)
        .offset(offset)
        .execute(),

    count: (session_id) =>
      countRows(db.selectFrom('messages').where('session_id', '=', session_id)),
  }
}
