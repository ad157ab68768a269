import { cutSql, type Token } from '../sql-gate/index.ts'

/**
 * The literals of a statement that stand beside a comparison, as texts: `> 5000`, `IN ('a', 'b')`,
 * `BETWEEN 1 AND 9`, `LIKE '%x%'`. How many rows, which interval and how long a type: none of these
 * says anything about the data.
 */
export function findThresholds(sql: string): string[] {
  const tokens = toTokens(sql)
  const found: string[] = []
  let isBetween = false
  for (const [at, token] of tokens.entries()) {
    if (isWord(token, 'between')) isBetween = true
    if (isBetween && isWord(token, 'and')) {
      isBetween = false
      found.push(...literalAt(tokens, at + 1))
    }
    if (isWord(token, 'between', 'like', 'ilike')) found.push(...literalAt(tokens, at + 1))
    if (isWord(token, 'in')) found.push(...listAt(tokens, at + 1))
    if (!isComparison(tokens, at)) continue
    const before = tokens[beginOf(tokens, at) - 1]
    if (before !== undefined && isLiteral(before)) found.push(before.text)
    found.push(...literalAt(tokens, at + 1))
  }
  return found
}

/** Of whichever dialect it is; those that are left differ in how names are quoted alone. */
function toTokens(sql: string): readonly Token[] {
  for (const dialect of ['duckdb', 'mysql', 'sqlite'] as const) {
    const cut = cutSql(sql, dialect)
    if (cut.status === 'ok') return cut.tokens
  }
  return []
}

function isLiteral({ kind }: Token): boolean {
  return kind === 'number' || kind === 'string'
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase())
}

function isSymbol(token: Token | undefined, symbols: string): boolean {
  return token?.kind === 'symbol' && symbols.includes(token.text)
}

/** Behind a sign or a bracket, if it is one; the length of a window is none. */
function literalAt(tokens: readonly Token[], from: number): string[] {
  let at = from
  while (isSymbol(tokens[at], '+-(')) at += 1
  const token = tokens[at]
  if (token === undefined || !isLiteral(token)) return []
  return isWord(tokens[at + 1], 'preceding', 'following') ? [] : [token.text]
}

/** `(1, 'b', -3)`; what a list asks for in turn is none. */
function listAt(tokens: readonly Token[], from: number): string[] {
  if (!isSymbol(tokens[from], '(')) return []
  const found: string[] = []
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (isSymbol(token, ')')) return found
    if (isLiteral(token)) found.push(token.text)
    else if (!isSymbol(token, ',+-')) return []
  }
  return []
}

/** Where the comparison begins whose last sign is at `end`. */
function beginOf(tokens: readonly Token[], end: number): number {
  const before = tokens[end - 1]
  return before?.to === tokens[end]!.from && isSymbol(before, '<>=!') ? end - 1 : end
}

/** The last sign of `=`, `<`, `>=`, `<>`, `!=` and the like: not of `->`, `>>`, `=>` or `:=`. */
function isComparison(tokens: readonly Token[], at: number): boolean {
  const [token, before, after] = [tokens[at]!, tokens[at - 1], tokens[at + 1]]
  if (!isSymbol(token, '<>=')) return false
  if (after?.from === token.to && isSymbol(after, '<>=')) return false
  if (before?.to !== token.from || before.kind !== 'symbol') return true
  return !['->', '>>', '<<', '=>', ':='].includes(`${before.text}${token.text}`)
}
