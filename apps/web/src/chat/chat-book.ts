import type { Client } from '@dataagent/client'
import { type ChatSession, type ChatSessionOptions, createChatSession } from './chat-session.ts'

/** The chats that this page follows: the one it shows, and the last few that it showed. */
export interface ChatBook {
  /** Opens it, or gives the one that is open. */
  open(session_id: string): ChatSession
  closeAll(): void
}

const openMax = 4

export function createChatBook(client: Client, onNotice: ChatSessionOptions['onNotice']): ChatBook {
  const open = new Map<string, ChatSession>()

  function isClosed(session: ChatSession): boolean {
    return session.get().socket.status === 'closed'
  }

  return {
    open(session_id) {
      const known = open.get(session_id)
      open.delete(session_id)
      const session =
        known && !isClosed(known)
          ? known
          : createChatSession({ client, session_id, onNotice, nextFrame })
      open.set(session_id, session)
      for (const [id, old] of open) {
        if (open.size <= openMax) break
        open.delete(id)
        old.close()
      }
      return session
    },
    closeAll() {
      for (const session of open.values()) session.close()
      open.clear()
    },
  }
}

/** A page that is hidden has no frames; it goes on all the same, if slower. */
function nextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work, 200)
  else requestAnimationFrame(work)
}
