import { createContext, use } from 'react'
import type { ChatSession } from './chat-session.ts'

const ChatContext = createContext<ChatSession | undefined>(undefined)

export const ChatProvider = ChatContext

/** The chat that is shown. */
export function useChat(): ChatSession {
  const chat = use(ChatContext)
  if (!chat) throw new Error('ChatProvider is missing')
  return chat
}
