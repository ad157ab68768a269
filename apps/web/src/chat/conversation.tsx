import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useWords } from '../words/use-words.ts'
import type { ChatState } from './chat-session.ts'
import { chatWords } from './chat-words.ts'
import { useJump } from './jump.ts'
import { PendingView } from './pending-view.tsx'
import { TurnView } from './turn/turn-view.tsx'

interface ConversationProps {
  state: ChatState
  onEdit(text: string): void
  onAgain(text: string): void
}

/** So near to its end, whoever reads wants to see what comes. */
const nearPx = 80

/** The turns; only those that are seen are there. It follows its end until somebody scrolls up. */
export function Conversation({ state, onEdit, onAgain }: ConversationProps) {
  const words = useWords(chatWords)
  const { turns } = state.view
  const box = useRef<HTMLDivElement>(null)
  const { isAtEnd, onScroll, toEnd, leaveEnd } = useEnd(box)
  const jump = useJump()
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => turns[index]?.key ?? index,
    estimateSize: () => 240,
    overscan: 3,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes may move it
  useLayoutEffect(() => {
    if (isAtEnd) toEnd()
  }, [state, isAtEnd, toEnd, virtual.getTotalSize()])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every jump
  useEffect(() => {
    const index = jump ? turns.findIndex(({ key }) => key === jump.turn_key) : -1
    if (index === -1) return
    leaveEnd()
    // What is there already shows itself.
    const isThere = virtual.getVirtualItems().some((item) => item.index === index)
    if (!isThere) virtual.scrollToIndex(index, { align: 'start' })
  }, [jump])

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        onScroll={onScroll}
        role="log"
        aria-label={words.conversation}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="h-full overflow-y-auto px-4 outline-offset-[-2px] [overflow-anchor:none]"
      >
        <div className="mx-auto w-full max-w-3xl pb-4">
          <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => {
              const turn = turns[index]
              return (
                turn && (
                  <div
                    key={key}
                    ref={virtual.measureElement}
                    data-index={index}
                    className="absolute top-0 left-0 w-full"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <TurnView
                      turn={turn}
                      isLast={index === turns.length - 1}
                      isStopping={state.isStopping && index === turns.length - 1}
                      onEdit={onEdit}
                      onAgain={onAgain}
                    />
                  </div>
                )
              )
            })}
          </div>
          {state.pending.map((message) => (
            <PendingView key={message.message_id} message={message} />
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <Button
          size="small"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
          icon={<ArrowDown aria-hidden="true" className="size-4" />}
          onClick={toEnd}
        >
          {words.toLatest}
        </Button>
      )}
    </div>
  )
}

/** Whether the end is seen, and the way to it. */
function useEnd(box: React.RefObject<HTMLDivElement | null>) {
  const [isAtEnd, setAtEnd] = useState(true)
  const lastTop = useRef(0)

  const toEnd = useCallback(() => {
    const element = box.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    lastTop.current = element.scrollTop
    setAtEnd(true)
  }, [box])

  const leaveEnd = useCallback(() => setAtEnd(false), [])

  const onScroll = useCallback(() => {
    const element = box.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    const isNear = scrollHeight - scrollTop - clientHeight < nearPx
    // Only a person scrolls up.
    if (scrollTop < lastTop.current - 1 && !isNear) setAtEnd(false)
    else if (isNear) setAtEnd(true)
    lastTop.current = scrollTop
  }, [box])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => isAtEnd && toEnd())
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, isAtEnd, toEnd])

  return { isAtEnd, onScroll, toEnd, leaveEnd }
}
