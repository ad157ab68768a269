import type { SessionLog } from '../session/index.ts'
import type { Conversation } from './conversation.ts'
import { catchUp, loadConversation } from './load-conversation.ts'

/**
 * The conversations of late, kept so that a turn reads nothing of a log that only this process
 * appends to. Who takes one checks its head by the first append.
 */
export interface Conversations {
  /** Kept for this owner, or loaded; throws what the log throws. */
  take(session_id: string, owner: string): Promise<Conversation>
  /** Reads what others have appended since. */
  catchUp(session_id: string, conversation: Conversation): Promise<void>
  /** After a fault: what is kept may not be what the log holds. */
  drop(session_id: string): void
}

export interface ConversationsOptions {
  log: SessionLog
  /** How many are kept; default 200. */
  max?: number | undefined
}

export function createConversations({ log, max = 200 }: ConversationsOptions): Conversations {
  const kept = new Map<string, { owner: string; conversation: Conversation }>()

  return {
    async take(session_id, owner) {
      const known = kept.get(session_id)
      const isOwn = known?.owner === owner
      const conversation = isOwn ? known.conversation : await loadConversation(log, session_id)
      kept.delete(session_id)
      kept.set(session_id, { owner, conversation })
      if (kept.size > max) kept.delete(kept.keys().next().value!)
      return conversation
    },
    catchUp: (session_id, conversation) => catchUp(log, session_id, conversation),
    drop: (session_id) => {
      kept.delete(session_id)
    },
  }
}
