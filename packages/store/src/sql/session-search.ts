import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import { holdsText } from './holds-text.ts'
import type { Database, SessionRow } from './tables.ts'

interface Wanted {
  tenant_id: string
  user_id: string
  text: string
}

const batch = 200

/**
 * A user's sessions that hold a text, latest first, until there are `count`. They are looked
 * through part by part: no statement takes long, and where SQLite reads, others are let in between.
 */
export async function findHolding(
  { db, engine }: { db: Kysely<Database>; engine: Engine },
  { tenant_id, user_id, text }: Wanted,
  count: number,
): Promise<SessionRow[]> {
  const found = new Map<string, SessionRow>()
  const own = db.selectFrom('sessions').where(({ and }) => and({ tenant_id, user_id }))
  const ordered = own.orderBy('last_active', 'desc').orderBy('session_id')
  for (let offset = 0; found.size < count; offset += batch) {
    const page = await ordered.select('session_id').limit(batch).offset(offset).execute()
    const ids = page.map(({ session_id }) => session_id)
    const some = ids.length > 0 ? ordered.selectAll().where('session_id', 'in', ids) : undefined
    const rows = (await some?.where(holdsAnywhere(engine.kind, text)).execute()) ?? []
    for (const row of rows) found.set(row.session_id, row)
    if (ids.length < batch) break
    await setImmediate()
  }
  return [...found.values()]
}

/** Whether the title or one of the messages holds the text. */
function holdsAnywhere(kind: Engine['kind'], text: string) {
  const holds = (column: string) => holdsText(kind, column, text)

  return ({ or, exists, selectFrom }: ExpressionBuilder<Database, 'sessions'>) =>
    or([
      holds('sessions.title'),
      exists(
        selectFrom('messages')
          .select('messages.message_id')
          .whereRef('messages.session_id', '=', 'sessions.session_id')
          .where(holds('messages.content')),
      ),
    ])
}
