import { AppError, type SourceKind } from '@dataagent/schema'
import { fold } from '../../engines/index.ts'
import {
  checkStatement,
  cutSql,
  type Dialect,
  type Token,
  type Verb,
} from '../../sql-gate/index.ts'

/** A statement that the gate has let through, in pieces. */
export interface Statement {
  kind: SourceKind
  verb: Verb
  /** What stands before `body`: an EXPLAIN with its options. */
  before: string
  body: string
  /** Of the body. */
  tokens: readonly Token[]
}

/** Undefined where the gate refuses it: the engine says why. */
export function readStatement(sql: string, kind: SourceKind): Statement | undefined {
  const dialect: Dialect = kind === 'files' ? 'duckdb' : kind
  const verdict = checkStatement(sql, dialect)
  if (verdict.status === 'refused') return undefined
  const { verb, inner: body } = verdict
  const cut = cutSql(body, dialect)
  if (cut.status === 'refused') return undefined
  const before = verdict.sql.slice(0, verdict.sql.length - body.length)
  const statement = { kind, verb, before, body, tokens: asRead(cut.tokens, kind) }
  requireOneReading(sql, statement)
  return statement
}

/** The tokens as the database takes them. */
function asRead(tokens: readonly Token[], kind: SourceKind): readonly Token[] {
  if (kind === 'mysql') return withDigitNames(tokens)
  return kind === 'postgres' ? tokens.map(withShortName) : tokens
}

const longestPostgresName = 63

/** PostgreSQL cuts names that are longer. */
function withShortName(token: Token): Token {
  if (!isName(token) || Buffer.byteLength(token.text) <= longestPostgresName) return token
  const text = Buffer.from(token.text).subarray(0, longestPostgresName).toString()
  return { ...token, text: text.replace(/\ufffd$/, '') }
}

/** Whatever may be a table's name. */
export function namesIn({ tokens }: Statement): string[] {
  const mayName = (token: Token) => isName(token) || token.kind === 'string'
  return [...new Set(tokens.filter(mayName).map(({ text }) => text))]
}

function isName({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name'
}

export function isWord(token: Token | undefined, ...words: string[]): boolean {
  return token?.kind === 'word' && words.includes(fold(token.text))
}

export function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text
}

/** MySQL takes `1st` for a name, and `a.1st` and `a.2024` for two. */
function withDigitNames(tokens: readonly Token[]): Token[] {
  const made: Token[] = []
  for (const token of tokens) {
    const last = made.at(-1)
    const touches = last?.to === token.from
    if (touches && token.kind === 'number' && token.text.startsWith('.') && isName(last)) {
      const { from, to, text } = token
      made.push({ kind: 'symbol', text: '.', from, to: from + 1 })
      made.push({ kind: 'word', text: text.slice(1), from: from + 1, to })
    } else if (touches && token.kind === 'word' && startsWithDigit(last)) {
      made[made.length - 1] = { ...last, kind: 'word', text: last.text + token.text, to: token.to }
    } else made.push(token)
  }
  return made
}

function startsWithDigit({ kind, text }: Token): boolean {
  return kind === 'number' || (kind === 'word' && /^\d/.test(text))
}

/** What the database could read otherwise than we do is not taken where something is hidden. */
function requireOneReading(sql: string, { kind, tokens, body }: Statement): void {
  const isDuckdb = kind === 'duckdb' || kind === 'files'
  const endsLines = kind === 'postgres' || isDuckdb
  if (endsLines && /\r(?!\n)/.test(sql)) {
    throw new AppError('invalid_request', 'A line ends with a carriage return alone. Use \\n.')
  }
  if (tokens.some(({ kind: of, text }) => of === 'word' && /[\s\u200b\u2060]/.test(text))) {
    throw new AppError('invalid_request', 'An unusual blank stands in a name. Use plain spaces.')
  }
  // DuckDB takes a text for the name of a table, its escapes resolved.
  if (isDuckdb && tokens.some((token) => isEscaped(token, body))) {
    throw new AppError('invalid_request', "Write texts without E'…': chr(10) for a line's end.")
  }
}

function isEscaped({ kind, text, from }: Token, body: string): boolean {
  return kind === 'string' && /^e$/i.test(body[from]!) && text.includes('\\')
}
