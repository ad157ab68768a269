import type { ModelMessage } from '../../models/index.ts'

/** Counts the tokens of messages, each message once. */
export interface Measure {
  /** Whether they have more than `limit`; cheap where they are far from it. */
  isOver(messages: readonly ModelMessage[], limit: number): boolean
  tokens(message: ModelMessage): number
}

/** Role, separators and the like, which every message has. */
const perMessage = 4

/** Makes a measure that keeps what it counted for as long as the message lives. */
export function createMeasure(estimate: (text: string) => number): Measure {
  const kept = new WeakMap<ModelMessage, number>()

  function tokens(message: ModelMessage): number {
    const known = kept.get(message)
    if (known !== undefined) return known
    const counted = perMessage + estimate(toText(message))
    kept.set(message, counted)
    return counted
  }

  return {
    tokens,
    isOver(messages, limit) {
      if (mostTokens(messages) <= limit) return false
      let total = 0
      for (const message of messages) {
        total += tokens(message)
        if (total > limit) return true
      }
      return false
    },
  }
}

/** A token has at least one character. Counted without looking at any. */
function mostTokens(messages: readonly ModelMessage[]): number {
  let characters = 0
  for (const message of messages) {
    if (message.role === 'assistant' && message.tool_calls.length > 0) return Infinity
    characters += message.content.length + perMessage
  }
  return characters
}

function toText(message: ModelMessage): string {
  if (message.role !== 'assistant' || message.tool_calls.length === 0) return message.content
  return message.content + JSON.stringify(message.tool_calls)
}
