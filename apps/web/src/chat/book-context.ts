import { createContext, use } from 'react'
import type { ChatBook } from './chat-book.ts'

export const ChatBookContext = createContext<ChatBook | undefined>(undefined)

export function useChatBook(): ChatBook {
  const book = use(ChatBookContext)
  if (!book) throw new Error('ChatBookContext is missing')
  return book
}
