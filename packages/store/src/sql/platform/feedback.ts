import type { FeedbackRating } from '@dataagent/schema'
import { countRows } from '../count-rows.ts'
import type { Page } from '../sessions.ts'
import { toStorableText } from '../storable-text.ts'
import type { FeedbackRow, PlatformOptions } from './tables.ts'

export type FeedbackRows = ReturnType<typeof createFeedback>

interface FeedbackFilter
  extends Partial<Record<'session_id' | 'user_id' | 'assistant_id', string | undefined>> {
  tenant_id: string
  rating?: FeedbackRating | undefined
}

/** What users think of their turns: one of each turn. */
export function createFeedback({ db, engine }: PlatformOptions) {
  function found({ tenant_id, ...equal }: FeedbackFilter) {
    let query = db.selectFrom('turn_feedback').where('tenant_id', '=', tenant_id)
    for (const column of ['session_id', 'user_id', 'assistant_id', 'rating'] as const) {
      const value = equal[column]
      if (value !== undefined) query = query.where(column, '=', value)
    }
    return query
  }

  return {
    /** Takes the place of what there was of that turn, and keeps when that began. */
    async put(row: FeedbackRow): Promise<void> {
      const { rating, updated_at } = row
      const reason = row.reason === null ? null : toStorableText(row.reason)
      const change = { rating, reason, updated_at }
      const insert = db.insertInto('turn_feedback').values({ ...row, reason })
      await (engine.kind === 'mysql'
        ? insert.onDuplicateKeyUpdate(change)
        : insert.onConflict((on) =>
            on.columns(['tenant_id', 'session_id', 'seq']).doUpdateSet(change),
          )
      ).execute()
    },

    async get(tenant_id: string, session_id: string, seq: number) {
      const query = found({ tenant_id, session_id }).where('seq', '=', seq)
      return query.selectAll().executeTakeFirst()
    },

    /** Of a session the newest turn first, else what was said last. */
    list: ({ limit, offset, ...filter }: FeedbackFilter & Page): Promise<FeedbackRow[]> =>
      found(filter)
        .selectAll()
        .orderBy(filter.session_id === undefined ? 'updated_at' : 'seq', 'desc')
        .orderBy('session_id')
        .orderBy('seq', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),

    count: (filter: FeedbackFilter): Promise<number> => countRows(found(filter)),

    async delete(tenant_id: string, session_id: string, seq: number): Promise<void> {
      await db
        .deleteFrom('turn_feedback')
        .where(({ and }) => and({ tenant_id, session_id, seq }))
        .execute()
    },

    /** Deletes all that was said in these sessions, whose ids no two tenants share. */
    async deleteOf(session_ids: readonly string[]): Promise<void> {
      if (session_ids.length === 0) return
      await db.deleteFrom('turn_feedback').where('session_id', 'in', session_ids).execute()
    },

    /** Deletes what was said last before then, the oldest first; gives how many at most `limit`. */
    async deleteOld(before: number, limit: number): Promise<number> {
      const old = await db
        .selectFrom('turn_feedback')
        .select(['tenant_id', 'session_id', 'seq'])
        .where('updated_at', '<', before)
        .orderBy('updated_at')
        .limit(limit)
        .execute()
      for (const { tenant_id, session_id, seq } of old)
        await this.delete(tenant_id, session_id, seq)
      return old.length
    },
  }
}
