/** What is being written where the caret is: the start of a command, or the name of something. */
export interface Token {
  kind: 'command' | 'mention'
  /** Without its mark. */
  text: string
  /** Where it begins, mark included, and ends. */
  start: number
  end: number
}

/** A name ends where one of these comes, unless it is in quotes. */
const ends = '\\s，。；：！？、（）《》“”'
const needsQuotes = new RegExp(`[${ends}]`)
/** It begins a word: after a blank, an opening bracket or Chinese, not inside an address. */
const mention = new RegExp(
  `(?:^|[\\s([{<,;:，。；：！？、（《“]|\\p{sc=Han})(@"([^"]*)|@([^@"${ends}]*))$`,
  'u',
)

/** Undefined where the caret is in plain words. A command stands at the very beginning. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(0, caret)
  const command = /^\/([\p{L}\d-]*)$/u.exec(before)
  if (command) return { kind: 'command', text: command[1] ?? '', start: 0, end: caret }
  const [, whole, quoted, bare = ''] = mention.exec(before) ?? []
  if (whole === undefined) return undefined
  return { kind: 'mention', text: quoted ?? bare, start: caret - whole.length, end: caret }
}

/** The text with the name in place of what was written of it, and where the caret is then. */
export function replaceMention(text: string, { start, end }: Token, name: string) {
  const before = text.slice(0, start)
  const rest = text.slice(end)
  const isQuoted = text.startsWith('@"', start) || needsQuotes.test(name)
  const open = isQuoted ? `@"${name}` : `@${name}`
  // After a folder a name follows.
  if (name.endsWith('/')) return { text: before + open + rest, caret: start + open.length }
  const whole = isQuoted ? `${open}"` : open
  const space = rest.startsWith(' ') ? '' : ' '
  return { text: before + whole + space + rest, caret: start + whole.length + 1 }
}
