/** What is being written where the caret is: the start of a command, or the name of something. */
export interface Token {
  kind: 'command' | 'mention'
  /** Without its mark. */
  text: string
  /** Where it begins, mark included, and ends. */
  start: number
  end: number
}

/** Undefined where the caret is in plain words. A command stands at the very beginning. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(0, caret)
  const command = /^\/([\p{L}\d-]*)$/u.exec(before)
  if (command) return { kind: 'command', text: command[1] ?? '', start: 0, end: caret }
  const mention = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!mention) return undefined
  const name = mention[1] ?? ''
  return { kind: 'mention', text: name, start: caret - name.length - 1, end: caret }
}

/** The text with the token replaced, and where the caret is then. */
export function replaceToken(text: string, { start, end }: Token, by: string) {
  const rest = text.slice(end)
  // After a folder a name follows.
  if (by.endsWith('/'))
    return { text: `${text.slice(0, start)}${by}${rest}`, caret: start + by.length }
  const space = rest.startsWith(' ') ? '' : ' '
  return { text: `${text.slice(0, start)}${by}${space}${rest}`, caret: start + by.length + 1 }
}
