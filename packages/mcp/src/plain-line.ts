import { stripVTControlCharacters } from 'node:util'

/**
 * A foreign text as one line of at most `max` characters, for a message or a log: without what
 * would move a terminal's cursor or begin a line that is not ours.
 */
export function toPlainLine(text: string, max: number): string {
  const begin = stripVTControlCharacters(text.slice(0, max)).toWellFormed()
  const line = begin.replace(/[\r\n\t\u2028\u2029]/g, ' ').replace(/\p{Cc}/gu, '')
  return text.length > max ? `${line}…` : line
}
