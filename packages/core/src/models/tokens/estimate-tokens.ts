import type { ModelMessage } from '../contract.ts'
import { keepPer } from '../message-json.ts'

/** Twelfths of a token: two thirds of one for a CJK character, a quarter for any other. */
const wide = 8
const narrow = 3
const whole = 12

/** From here on characters are mostly CJK: radicals, kana, ideographs, Hangul, full width. */
const firstWide = 0x2e80

/** What a message costs besides its texts. */
const messageTokens = 4
const callTokens = 8

/**
 * About how many tokens `text` is, without any model's own count. A longer text is never less than
 * its beginning.
 */
export function estimateTokens(text: string): number {
  let twelfths = text.length * narrow
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) >= firstWide) twelfths += wide - narrow
  }
  return Math.ceil(twelfths / whole)
}

/** The same for a message; counted once per message. */
export const estimateMessage: (message: ModelMessage) => number = keepPer(countMessage)

/** The same for a conversation. */
export function estimateMessages(messages: readonly ModelMessage[]): number {
  let tokens = 0
  for (const message of messages) tokens += estimateMessage(message)
  return tokens
}

function countMessage(message: ModelMessage): number {
  const text = messageTokens + estimateTokens(message.content)
  if (message.role !== 'assistant') return text
  return message.tool_calls.reduce((sum, { name, arguments: args }) => {
    return sum + callTokens + estimateTokens(name) + estimateTokens(JSON.stringify(args))
  }, text)
}
