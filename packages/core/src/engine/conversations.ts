import type { SessionLog } from '../session/index.ts'
import type { Conversation } from './conversation.ts'
import { loadConversation } from './load-conversation.ts'

/**
 * The conversations of late, kept so that a turn reads nothing of a log that only this process
 * appends to. Who takes one checks its head by the first append.
 */
export interface Conversations {
  /** Kept for this owner, or loaded; throws what the log throws. */
  take(session_id: string, owner: string): Promise<Conversation>
  /** As far as it is kept: of a run that is under way here, as it is now. */
  peek(session_id: string, owner: string): Conversation | undefined
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
    peek(session_id, owner) {
      const known = kept.get(session_id)
      return known?.owner === owner ? known.conversation : undefined
    },
    drop: (session_id) => {
      kept.delete(session_id)
    },
  }
}
