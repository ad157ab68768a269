import { useEffect } from 'react'
import type { ChatBook } from './chat-book.ts'

/** The browser asks whoever leaves while messages wait that this page alone has. */
export function useLeaveWarning(book: Pick<ChatBook, 'hasUnsent'>): void {
  useEffect(() => {
    function warn(event: BeforeUnloadEvent) {
      if (book.hasUnsent()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [book])
}
