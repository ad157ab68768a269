import type { Dialect } from './dialects.ts'
import { cutSql, type Token } from './tokens.ts'

/** The names that a statement gives to queries within it: `WITH name (columns) AS (…)`. */
export function withNames(sql: string, dialect: Dialect): string[] {
  const cut = cutSql(sql, dialect)
  if (cut.status === 'refused') return []
  return cut.tokens.filter((_, at) => isWithName(cut.tokens, at)).map(({ text }) => text)
}

/** Also where it is none but looks like one: the name of a WINDOW. */
function isWithName(tokens: readonly Token[], at: number): boolean {
  const { kind } = tokens[at]!
  if (kind !== 'word' && kind !== 'name' && kind !== 'string') return false
  let next = at + 1
  if (isSymbol(tokens[next], '(')) next = closing(tokens, next) + 1
  if (!isWord(tokens[next], 'as')) return false
  if (isWord(tokens[next + 1], 'not')) next += 1
  if (isWord(tokens[next + 1], 'materialized')) next += 1
  return isSymbol(tokens[next + 1], '(')
}

function closing(tokens: readonly Token[], open: number): number {
  const end = tokens.findIndex((token, at) => at > open && isSymbol(token, ')'))
  return end === -1 ? tokens.length : end
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === text
}
