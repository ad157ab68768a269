import type { CompletionQuery } from './contract.ts'

/** What is being typed where the cursor is, and from which column of its line. */
export interface Token {
  query: CompletionQuery
  /** What stands before the text and stays: `/`, `@`, `@"` or nothing. */
  sign: string
  /** The column where its sign begins. */
  start: number
}

const commandName = /^\s*\/([\w-]*)$/
const commandArgument = /^\s*\/([\w-]+(?:\s+\S+)*)\s+(\S*)$/

/** A mention begins a word: after a blank, an opening bracket or Chinese, not inside an address. */
const mention =
  /(?:^|[\s([{<,;:，。；：！？、（《“]|\p{sc=Han})(@"([^"]*)|@([^\s"@，。；：！？、（）《》“”]*))$/u

/** What may be completed at the cursor; undefined where nothing can be. */
export function tokenAt(
  lines: readonly string[],
  cursorLine: number,
  cursorCol: number,
): Token | undefined {
  const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
  const isFirst = cursorLine === 0
  return mentionIn(before) ?? (isFirst ? commandIn(before) : undefined)
}

function mentionIn(before: string): Token | undefined {
  const [, whole, quoted, bare = ''] = mention.exec(before) ?? []
  if (whole === undefined) return undefined
  return {
    query: { kind: 'mention', text: quoted ?? bare, before: '' },
    sign: quoted === undefined ? '@' : '@"',
    start: before.length - whole.length,
  }
}

function commandIn(before: string): Token | undefined {
  const [, name] = commandName.exec(before) ?? []
  if (name !== undefined) {
    const start = before.indexOf('/')
    return { query: { kind: 'command', text: name, before: '' }, sign: '/', start }
  }
  const [, words, text] = commandArgument.exec(before) ?? []
  if (words === undefined || text === undefined) return undefined
  const query = { kind: 'argument', text, before: words } as const
  return { query, sign: '', start: before.length - text.length }
}

/** What is put at the token's start in place of it, with the blank that ends it. */
export function toInserted({ query, sign }: Token, value: string): string {
  const isOpen = value.endsWith('/')
  if (query.kind !== 'mention') return isOpen ? sign + value : `${sign}${value} `
  const needsQuotes = sign === '@"' || /[\s，。；：！？、（）《》“”]/.test(value)
  if (!needsQuotes) return isOpen ? `@${value}` : `@${value} `
  return isOpen ? `@"${value}` : `@"${value}" `
}

/**
 * Those whose text has the letters of `typed` in their order, the best first: the text itself, its
 * beginning, the beginning of a word in it, a part of it, letters with others between them. Equals
 * stay as they were.
 */
export function rank<T>(
  items: readonly T[],
  typed: string,
  toText: (item: T) => string,
): readonly T[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return items
  return items
    .map((item) => ({ item, cost: costOf(toText(item), wanted) }))
    .filter(({ cost }) => cost !== undefined)
    .sort((a, b) => a.cost! - b.cost!)
    .map(({ item }) => item)
}

/** How far a text is from what is wanted, 0 for the same; undefined where it does not fit. */
function costOf(text: string, wanted: string): number | undefined {
  const lower = text.toLowerCase()
  if (lower === wanted) return 0
  if (lower.startsWith(wanted)) return 1 + lower.length / 10_000
  const at = lower.indexOf(wanted)
  if (at !== -1) return (isWordStart(text, at) ? 2 : 3) + at / 10_000
  const gaps = gapsOf(text, wanted)
  return gaps === undefined ? undefined : 4 + gaps
}

/** How many letters stand between those that are wanted; a new word costs nothing. */
function gapsOf(text: string, wanted: string): number | undefined {
  const lower = text.toLowerCase()
  let gaps = 0
  let last = -1
  for (const letter of wanted) {
    if (letter === ' ') continue
    const at = lower.indexOf(letter, last + 1)
    if (at === -1) return undefined
    if (at !== last + 1 && !isWordStart(text, at)) gaps += at - last
    last = at
  }
  return gaps
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true
  const [before = '', letter = ''] = [text[at - 1], text[at]]
  return /[\s\-_./:]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(letter))
}
