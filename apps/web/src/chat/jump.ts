import { createContext, type RefObject, use, useEffect } from 'react'
import type { Part, ToolPart } from './log/turn.ts'

/** A call, or the block of a query, that somebody wants to see, and where it is. */
export interface Jump {
  turn_key: string
  tool_call_id?: string
  query_id?: string
}

interface JumpState {
  jump: Jump | undefined
  jumpTo(jump: Jump): void
  /** It is shown: from then on it is a call like any other. */
  arrived(): void
}

export const JumpContext = createContext<JumpState>({ jump: undefined, jumpTo() {}, arrived() {} })

/** The turn that a call is shown in. */
export const TurnKeyContext = createContext('')

export function useJump(): Jump | undefined {
  return use(JumpContext).jump
}

/** Begins something when one of these calls is wanted. */
export function useWanted(parts: readonly ToolPart[], begin: () => void): void {
  const jump = useJump()
  const turn_key = use(TurnKeyContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every jump
  useEffect(() => {
    if (holds({ turn_key, parts }, jump)) begin()
  }, [jump])
}

export function useJumpTo(
  part: ToolPart,
  card: RefObject<HTMLDetailsElement | null>,
  setOpen: (isOpen: boolean) => void,
): void {
  const { jump, arrived } = use(JumpContext)
  useWanted([part], () => {
    setOpen(true)
    if (part.tool_call_id !== jump?.tool_call_id) return
    if (card.current) bringIntoView(card.current)
    card.current?.querySelector('summary')?.focus({ preventScroll: true })
    arrived()
  })
}

/** Whether it is among them or a helper made it there. Other turns may have calls of its id. */
export function holds(
  { turn_key, parts }: { turn_key: string; parts: readonly Part[] },
  jump: Jump | undefined,
): boolean {
  if (jump?.turn_key !== turn_key) return false
  return parts.some(
    (part) =>
      part.kind === 'tool' &&
      (part.tool_call_id === jump.tool_call_id || holds({ turn_key, parts: part.parts }, jump)),
  )
}

/** In so many frames what is above has its height; as many in a row without a move are enough. */
const [framesMax, calmFrames] = [90, 10]

/** Turns that are measured on the way move it: it is held until they are, or a person scrolls. */
export function bringIntoView(card: HTMLElement): void {
  const left = new AbortController()
  for (const type of ['wheel', 'touchstart', 'keydown'] as const) {
    addEventListener(type, () => left.abort(), { signal: left.signal, passive: true })
  }
  let calm = 0
  let frames = 0

  function hold(): void {
    const before = card.getBoundingClientRect().top
    card.scrollIntoView({ block: 'start' })
    calm = Math.abs(card.getBoundingClientRect().top - before) < 2 ? calm + 1 : 0
    frames += 1
    if (!card.isConnected || calm >= calmFrames || frames >= framesMax) left.abort()
    if (!left.signal.aborted) requestAnimationFrame(hold)
  }

  hold()
}
