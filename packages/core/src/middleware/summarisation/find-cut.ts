import type { ModelMessage } from '../../models/index.ts'
import { isOver } from './is-over.ts'

export interface CutNeeds {
  keepMessages: number
  /** What is kept should not have more tokens than this. */
  keepTokens: number
}

/**
 * Where the messages to keep begin: never at the result of a call, whose call would be missing. 0
 * where nothing can be cut off.
 */
export function findCut(messages: readonly ModelMessage[], needs: CutNeeds): number {
  const wanted = Math.max(0, messages.length - needs.keepMessages)
  let cut = backToStart(messages, Math.min(wanted, messages.length - 1))
  while (isOver(messages.slice(cut), needs.keepTokens)) {
    const next = nextStart(messages, cut)
    if (next === undefined) break
    cut = next
  }
  return cut
}

/** The first message of a user from `cut` on, so that only whole turns are left out; else `cut`. */
export function toTurnStart(messages: readonly ModelMessage[], cut: number): number {
  const found = messages.findIndex((message, i) => i >= cut && message.role === 'user')
  return found === -1 ? cut : found
}

function backToStart(messages: readonly ModelMessage[], from: number): number {
  let at = from
  while (at > 0 && messages[at]?.role === 'tool') at -= 1
  return Math.max(0, at)
}

function nextStart(messages: readonly ModelMessage[], after: number): number | undefined {
  for (let at = after + 1; at < messages.length; at += 1) {
    if (messages[at]?.role !== 'tool') return at
  }
  return undefined
}
