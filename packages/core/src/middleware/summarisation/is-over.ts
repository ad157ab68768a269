import { estimateMessage, type ModelMessage } from '../../models/index.ts'

/** More than what a message costs besides its text, where it has no calls. */
const besides = 8

/** Whether messages have more than `limit` tokens; cheap where they are far from it. */
export function isOver(messages: readonly ModelMessage[], limit: number): boolean {
  if (mostTokens(messages) <= limit) return false
  let total = 0
  for (const message of messages) {
    total += estimateMessage(message)
    if (total > limit) return true
  }
  return false
}

/** A token has at least one character: counted without looking at any. */
function mostTokens(messages: readonly ModelMessage[]): number {
  let characters = 0
  for (const message of messages) {
    if (message.role === 'assistant' && message.tool_calls.length > 0) return Infinity
    characters += message.content.length + besides
  }
  return characters
}
