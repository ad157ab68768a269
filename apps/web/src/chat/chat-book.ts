import type { Client } from '@dataagent/client'
import { type ChatSession, type ChatSessionOptions, createChatSession } from './chat-session.ts'

/** The chats that this page follows: the one it shows, and the last few that it showed. */
export interface ChatBook {
  /** Opens it, or gives the one that is open. */
  open(session_id: string): ChatSession
  /** What is written and not sent, by session. */
  readonly drafts: Map<string, string>
  /** Those whose first message was just written here: the keys stay in the box. */
  readonly begun: Set<string>
  /** Whether messages would be lost with this page. */
  hasUnsent(): boolean
  closeAll(): void
}

const openMax = 4

export function createChatBook(
  client: Client,
  onNotice: ChatSessionOptions['onNotice'],
  nextFrame = beforeNextFrame,
): ChatBook {
  const open = new Map<string, ChatSession>()
  const drafts = new Map<string, string>()
  const begun = new Set<string>()

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
        if (old === session || holdsMessages(old)) continue
        open.delete(id)
        old.close()
      }
      return session
    },
    ...{ drafts, begun },
    hasUnsent: () => [...open.values()].some(holdsMessages),
    closeAll() {
      for (const session of open.values()) session.close()
      open.clear()
    },
  }
}

/** Whether something is in it that nobody else has. */
function holdsMessages(session: ChatSession): boolean {
  const { queue, pending, takenBack } = session.get()
  return queue.length + pending.length + takenBack.length > 0
}

/** A page that is hidden has no frames; it goes on all the same, if slower. */
function beforeNextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work, 200)
  else requestAnimationFrame(work)
}
