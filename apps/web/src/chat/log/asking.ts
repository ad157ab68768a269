import type { Part, ToolPart, Turn } from './turn.ts'

/** Whether a person was asked about the call, or about one that a helper made for it. */
export function hasAsked(part: ToolPart): boolean {
  return part.approval !== undefined || part.parts.some((below) => isTool(below) && hasAsked(below))
}

/** Whether something of the turn waits for a person now. */
export function isTurnAsking(turn: Turn | undefined): boolean {
  return turn !== undefined && turn.ended_at === undefined && turn.parts.some(isAsking)
}

function isAsking(part: Part): boolean {
  if (!isTool(part)) return false
  const isOpen = part.approval !== undefined && part.approval.answer === undefined
  return isOpen || part.parts.some(isAsking)
}

function isTool(part: Part): part is ToolPart {
  return part.kind === 'tool'
}
