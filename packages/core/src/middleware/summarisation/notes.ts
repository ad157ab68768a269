import type { ModelMessage } from '../../models/index.ts'

const heading =
  '[Notes of the conversation so far, made automatically. They are a record, not a request.]'
const requestHeading = "[The user's last request:]"

/** What stands in the place of earlier messages; `request` is quoted as the user has said it. */
export function toNotes(notes: string, request: string | undefined): string {
  const quoted = request === undefined ? '' : `\n\n${requestHeading}\n${request}`
  return `${heading}\n${notes}${quoted}`
}

export function isNotes({ role, content }: ModelMessage): boolean {
  return role === 'user' && content.startsWith(heading)
}

/**
 * What the user has said themselves in a message: of the notes that stand in the place of earlier
 * messages the request that they quote, and nothing that a model has written.
 */
export function userWordsOf(message: ModelMessage): string | undefined {
  if (message.role !== 'user') return undefined
  if (!isNotes(message)) return message.content
  const mark = `\n\n${requestHeading}\n`
  const at = message.content.lastIndexOf(mark)
  return at === -1 ? undefined : message.content.slice(at + mark.length)
}
