import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { DecisionState } from '../../approvals/use-decision.ts'
import { useChatBook } from '../book-context.ts'
import { useChat } from '../chat-context.ts'

/** So soon after it came, a key was meant for what was there before. */
const guardMs = 800

interface ApprovalKeys {
  card: RefObject<HTMLElement | null>
  approval_id: string
  state: DecisionState
}

/** The keys of what waits for a person. It takes the focus once, and from nobody who uses it. */
export function useApprovalKeys({ card, approval_id, state }: ApprovalKeys) {
  const chat = useChat()
  const { drafts } = useChatBook()
  const shownAt = useRef(Number.POSITIVE_INFINITY)

  useEffect(() => {
    shownAt.current = performance.now()
    if (!chat.meets(approval_id) || drafts.get(chat.session_id)) return
    const isFree = document.activeElement === document.body
    if (isFree) card.current?.focus({ preventScroll: true })
  }, [card, chat, drafts, approval_id])

  function isMeant({ nativeEvent, target }: KeyboardEvent): boolean {
    const { repeat, isComposing, ctrlKey, metaKey, altKey, timeStamp } = nativeEvent
    if (repeat || isComposing || ctrlKey || metaKey || altKey) return false
    if (timeStamp - shownAt.current < guardMs || state.busy) return false
    // A menu is above the card, a field within it has keys of its own.
    return card.current?.contains(target as Node) === true
  }

  return function onKey(event: KeyboardEvent): void {
    if (!isMeant(event)) return
    const key = event.key.toLowerCase()
    const isField = (event.target as HTMLElement).matches('input, textarea')
    if (key === 'escape') leave()
    else if (isField) return
    else if (key === 'y') state.approve({ scope: 'once' })
    else if (key === 'enter' && event.target === card.current) state.approve({ scope: 'once' })
    else if (key === 'n') state.setOpen('reject')
    else return
    event.preventDefault()
  }

  /** Out of a form first; then nothing of the turn is wanted. */
  function leave(): void {
    if (state.open === undefined) chat.stop()
    else {
      state.setOpen(undefined)
      card.current?.focus({ preventScroll: true })
    }
  }
}
