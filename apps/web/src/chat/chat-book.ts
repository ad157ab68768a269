import { type ChatSession, type ChatSessionOptions, createChatSession } from './chat-session.ts'
import { type Drafts, newChat } from './drafts.ts'

/** A chat that is being made. */
export interface Made {
  /** What is said to it meanwhile. */
  texts(): readonly string[]
  /** It is wanted no more: its texts are a draft already. */
  leave(): void
}

/** The chats that this page follows: the one it shows, and the last few that it showed. */
export interface ChatBook {
  /** Opens it, or gives the one that is open. */
  open(session_id: string): ChatSession
  /** Holds what is said to a chat while it is being made. Gives what ends that. */
  hold(made: Made): () => void
  readonly drafts: Drafts
  /** Those whose first message was just written here: the keys stay in the box. */
  readonly begun: Set<string>
  /** Whether messages would be lost with this page. */
  hasUnsent(): boolean
  /** What nobody else has is a draft from then on. */
  closeAll(): void
  /** Nothing that was written stays. */
  forget(): void
}

interface ChatBookOptions extends Pick<ChatSessionOptions, 'client' | 'onNotice'> {
  drafts: Drafts
  nextFrame?: ChatSessionOptions['nextFrame']
}

const openMax = 4

export function createChatBook(options: ChatBookOptions): ChatBook {
  const { client, drafts, onNotice, nextFrame = beforeNextFrame } = options
  const open = new Map<string, ChatSession>()
  const begun = new Set<string>()
  const beginnings = new Set<Made>()

  function isClosed(session: ChatSession): boolean {
    return session.get().socket.status === 'closed'
  }

  return {
    open(session_id) {
      const known = open.get(session_id)
      open.delete(session_id)
      if (known && isClosed(known)) keepMessages(known, drafts)
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
    hold(made) {
      beginnings.add(made)
      return () => beginnings.delete(made)
    },
    ...{ drafts, begun },
    hasUnsent: () => beginnings.size > 0 || [...open.values()].some(holdsMessages),
    closeAll() {
      for (const made of beginnings) {
        for (const text of made.texts()) drafts.add(newChat, text)
        made.leave()
      }
      beginnings.clear()
      for (const session of open.values()) {
        keepMessages(session, drafts)
        session.close()
      }
      open.clear()
    },
    forget: drafts.forget,
  }
}

/** Whether something is in it that nobody else has. */
const holdsMessages = (session: ChatSession) => messagesOf(session).length > 0

function keepMessages(session: ChatSession, drafts: Drafts): void {
  for (const text of messagesOf(session)) drafts.add(session.session_id, text)
}

function messagesOf(session: ChatSession): string[] {
  const { queue, pending, takenBack } = session.get()
  return [...takenBack, ...[...pending, ...queue].map(({ text }) => text)]
}

/** A page that is hidden has no frames; it goes on all the same, if slower. */
function beforeNextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work, 200)
  else requestAnimationFrame(work)
}
