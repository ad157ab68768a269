import type { Feedback, FeedbackRating } from '@dataagent/schema'

export interface FeedbackRow extends Feedback {
  tenant_id: string
}

interface FeedbackFilter {
  tenant_id: string
  session_id?: string | undefined
  user_id?: string | undefined
  assistant_id?: string | undefined
  rating?: FeedbackRating | undefined
}

/** What users think of their turns: one of each turn, which the number of its message names. */
export interface FeedbackRows {
  /** Takes the place of what there was of that turn, and keeps when that began. */
  put(row: FeedbackRow): Promise<void>
  get(tenant_id: string, session_id: string, seq: number): Promise<FeedbackRow | undefined>
  /** Of a session the newest turn first, else what was said last. */
  list(filter: FeedbackFilter & { limit: number; offset: number }): Promise<FeedbackRow[]>
  count(filter: FeedbackFilter): Promise<number>
  delete(tenant_id: string, session_id: string, seq: number): Promise<void>
  /** Deletes all that was said in these sessions, whose ids no two tenants share. */
  deleteOf(session_ids: readonly string[]): Promise<void>
  /** Deletes at most `limit` that were said before then; gives how many. */
  deleteOld(before: number, limit: number): Promise<number>
}
