import { useSyncExternalStore } from 'react'
import type { ChatSession, ChatState } from './chat-session.ts'

export function useChatState(chat: ChatSession): ChatState {
  return useSyncExternalStore(chat.subscribe, chat.get)
}
