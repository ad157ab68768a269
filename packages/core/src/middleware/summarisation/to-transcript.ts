import type { ModelMessage } from '../../models/index.ts'

/**
 * A conversation as plain text, of at most `maxCharacters`: long messages lose their middle, and so
 * does the whole.
 */
export function toTranscript(messages: readonly ModelMessage[], maxCharacters: number): string {
  const each = Math.max(400, Math.floor(maxCharacters / 8))
  return cutMiddle(messages.map((message) => toLine(message, each)).join('\n\n'), maxCharacters)
}

/** The text, or its beginning and end with a mark between them. */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const mark = `\n[… ${text.length - maxCharacters} characters left out …]\n`
  const half = Math.max(0, Math.floor((maxCharacters - mark.length) / 2))
  return (text.slice(0, half) + mark + text.slice(text.length - half)).toWellFormed()
}

function toLine(message: ModelMessage, maxCharacters: number): string {
  const content = cutMiddle(message.content, maxCharacters)
  if (message.role === 'user') return `User: ${content}`
  if (message.role === 'tool') return `Result of ${message.name}: ${content}`
  const calls = message.tool_calls.map(
    (call) => `[calls ${call.name} ${cutMiddle(JSON.stringify(call.arguments), maxCharacters)}]`,
  )
  return ['Assistant:', content, ...calls].filter((part) => part !== '').join(' ')
}
