import { type Dialect, type Lexis, lexisOf } from './dialects.ts'

export interface Token {
  /** `word`: a bare name or keyword; `name`: a quoted one, `text` without its quotes. */
  kind: 'word' | 'name' | 'string' | 'number' | 'symbol'
  text: string
  from: number
  to: number
}

export type Cut = { status: 'ok'; tokens: Token[] } | { status: 'refused'; message: string }

type Step =
  | { kind: 'skip'; to: number }
  | { kind: 'token'; token: Token }
  | { kind: 'refused'; message: string }

const blank = /\s/
/** For engines every character beyond ASCII is a letter, also where it is a sign or a picture. */
const word = /(?!\d)(?:(?!\s)[a-z\d_$\u{80}-\u{10ffff}])+/iuy
const number = /(?:0x[0-9a-f]+|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)/iy
const dollarTag = /\$(?:(?!\d)(?:(?!\s)[a-z\d_\u{80}-\u{10ffff}])+)?\$/iuy

/** The tokens of `sql` without its comments. Linear in the text's length. */
export function cutSql(sql: string, dialect: Dialect): Cut {
  const lexis = lexisOf[dialect]
  const tokens: Token[] = []
  for (let at = 0; at < sql.length; ) {
    const step = nextStep(sql, at, lexis)
    if (step.kind === 'refused') return { status: 'refused', message: step.message }
    if (step.kind === 'token') {
      const fault = faultOf(sql, tokens.at(-1), step.token)
      if (fault !== undefined) return { status: 'refused', message: fault }
      tokens.push(step.token)
    }
    at = step.kind === 'token' ? step.token.to : step.to
  }
  return { status: 'ok', tokens }
}

function faultOf(sql: string, before: Token | undefined, next: Token): string | undefined {
  if (goesOn(sql, before, next)) return twoTexts
  return isSwallowed(sql, before, next) ? noExponent : undefined
}

const noExponent = 'A number ends in e, without an exponent. Write it whole: 1.0 or 1e5.'

/** Of `f 1.e(x)` MySQL makes `f(x)`: it drops such a number. Right after a name it is one. */
function isSwallowed(sql: string, before: Token | undefined, { kind, text, from, to }: Token) {
  if (kind !== 'number' || !text.includes('.') || !/e/i.test(sql[to] ?? '')) return false
  const isPartOfName =
    text.startsWith('.') &&
    before?.to === from &&
    (before.kind === 'word' || before.kind === 'name')
  return !isPartOfName
}

const twoTexts = "Another text follows a text in E'…', and may be a part of it. Write them as one."

/** On a new line a text goes on the text before it, with the escapes of that one. */
function goesOn(sql: string, before: Token | undefined, next: Token): boolean {
  return before?.kind === 'string' && next.kind === 'string' && /e/i.test(sql[before.from]!)
}

function nextStep(sql: string, at: number, lexis: Lexis): Step {
  const char = sql[at]!
  if (blank.test(char)) return skipBlank(char, at)
  if (isLineComment(sql, at, lexis)) return skipLine(sql, at)
  if (char === '/' && sql[at + 1] === '*') return skipComment(sql, at, lexis)
  if (isEscapeString(sql, at, lexis)) return quoted(sql, at, 1, { kind: 'string', escapes: true })
  if (char === "'") return quoted(sql, at, 0, { kind: 'string', escapes: lexis.backslashes })
  if (char === '"') {
    const kind = lexis.doubleQuotedStrings ? 'string' : 'name'
    return quoted(sql, at, 0, { kind, escapes: lexis.backslashes })
  }
  if (char === '`' && lexis.backquotes) return quoted(sql, at, 0, { kind: 'name', escapes: false })
  if (char === '[' && lexis.brackets) return bracketed(sql, at)
  if (char === '$' && lexis.dollarStrings) return dollarQuoted(sql, at)
  if (lexis.wideParameters && /[$@:#?]/.test(char)) return refused(noParameters)
  return plainToken(sql, at)
}

const noParameters = 'The query has a parameter, which nothing fills. Write its value.'

function isLineComment(sql: string, at: number, lexis: Lexis): boolean {
  if (lexis.hashComments && sql[at] === '#') return true
  if (sql[at] !== '-' || sql[at + 1] !== '-') return false
  const next = sql[at + 2]
  return !lexis.dashNeedsBlank || next === undefined || /[ \t-\r]/.test(next)
}

/** Engines differ in which others they take for one. */
function skipBlank(char: string, at: number): Step {
  if (char <= '\u007f') return { kind: 'skip', to: at + 1 }
  const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return refused(`A blank that is no plain one (U+${code}) stands between words. Write a space.`)
}

function skipLine(sql: string, at: number): Step {
  const end = sql.indexOf('\n', at)
  const to = end === -1 ? sql.length : end + 1
  // For some engines the comment ends there.
  if (/\r(?!\n)/.test(sql.slice(at, to))) {
    return refused('A comment holds a carriage return alone. End its line with a line feed.')
  }
  return { kind: 'skip', to }
}

function skipComment(sql: string, at: number, lexis: Lexis): Step {
  if (lexis.runComments && /^\/\*M?!/i.test(sql.slice(at, at + 4))) {
    return refused('A comment that begins with /*! is run by the database. Leave it out.')
  }
  let depth = 1
  for (let to = at + 2; to < sql.length; to += 1) {
    if (sql[to] === '*' && sql[to + 1] === '/') {
      depth -= 1
      to += 1
      if (depth === 0) return { kind: 'skip', to: to + 1 }
    } else if (lexis.nestedComments && sql[to] === '/' && sql[to + 1] === '*') {
      depth += 1
      to += 1
    }
  }
  return refused('A comment that begins with /* has no end. Close it with */.')
}

function isEscapeString(sql: string, at: number, lexis: Lexis): boolean {
  return lexis.escapeStrings && /^[eE]$/.test(sql[at]!) && sql[at + 1] === "'"
}

function quoted(
  sql: string,
  from: number,
  skip: number,
  { kind, escapes }: { kind: 'string' | 'name'; escapes: boolean },
): Step {
  const quote = sql[from + skip]!
  for (let to = from + skip + 1; to < sql.length; to += 1) {
    if (escapes && sql[to] === '\\') to += 1
    else if (sql[to] === quote && sql[to + 1] === quote) to += 1
    else if (sql[to] === quote) {
      const inner = sql.slice(from + skip + 1, to)
      return token({ kind, text: inner.replaceAll(quote + quote, quote), from, to: to + 1 })
    }
  }
  return refused(`A ${kind === 'name' ? 'name' : 'text'} in ${quote} has no end. Close it.`)
}

function bracketed(sql: string, from: number): Step {
  const end = sql.indexOf(']', from)
  if (end === -1) return refused('A name in [ has no end. Close it with ].')
  return token({ kind: 'name', text: sql.slice(from + 1, end), from, to: end + 1 })
}

function dollarQuoted(sql: string, from: number): Step {
  dollarTag.lastIndex = from
  const tag = dollarTag.exec(sql)?.[0]
  if (tag === undefined) return plainToken(sql, from)
  const end = sql.indexOf(tag, from + tag.length)
  if (end === -1) return refused(`A text in ${tag} has no end. Close it.`)
  const text = sql.slice(from + tag.length, end)
  return token({ kind: 'string', text, from, to: end + tag.length })
}

function plainToken(sql: string, from: number): Step {
  for (const [kind, pattern] of plainKinds) {
    pattern.lastIndex = from
    const text = pattern.exec(sql)?.[0]
    if (text !== undefined) return token({ kind, text, from, to: from + text.length })
  }
  const text = sql[from]!
  // Some engines skip them, or end a comment with them.
  if (text < ' ' || text === '\u007f') return refused('A control character stands between words.')
  return token({ kind: 'symbol', text, from, to: from + 1 })
}

const plainKinds = [
  ['word', word],
  ['number', number],
] as const

function token(found: Token): Step {
  return { kind: 'token', token: found }
}

function refused(message: string): Step {
  return { kind: 'refused', message }
}
