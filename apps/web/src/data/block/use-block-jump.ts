import { type RefObject, use, useEffect, useRef } from 'react'
import { bringIntoView, JumpContext, TurnKeyContext } from '../../chat/jump.ts'

/** What a block needs so that somebody who wants to see it is brought there. */
export function useBlockJump(query_id: string, open: () => void): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null)
  const { jump, arrived } = use(JumpContext)
  const turn_key = use(TurnKeyContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every jump
  useEffect(() => {
    if (jump?.query_id !== query_id || jump.turn_key !== turn_key || !box.current) return
    open()
    bringIntoView(box.current)
    box.current.focus({ preventScroll: true })
    arrived()
  }, [jump])
  return box
}
