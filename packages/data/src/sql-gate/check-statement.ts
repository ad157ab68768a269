import type { Dialect } from './dialects.ts'
import { isRefusedFunction } from './refused-functions.ts'
import { cutSql, type Token } from './tokens.ts'
import { mayShow, type Verb, verbOf } from './verbs.ts'

export type GateVerdict =
  | {
      status: 'ok'
      verb: Verb
      /** The one statement, without what stands around it. */
      sql: string
      /** What is explained, where the verb is `explain`; else the same as `sql`. */
      inner: string
    }
  | { status: 'refused'; code: 'invalid_request' | 'forbidden'; message: string }

const longestSql = 200_000
const writing = new Set(['insert', 'update', 'delete', 'merge', 'replace', 'truncate'])
const locking = new Set(['update', 'share', 'no', 'key'])

/**
 * Tells early, and in words that can be acted on, whether `sql` is one statement that only reads.
 * It reads tokens, not grammar: what holds is the read-only transaction, the read-only file or the
 * engine's own parser behind it.
 */
export function checkStatement(sql: string, dialect: Dialect): GateVerdict {
  if (sql.length > longestSql) {
    return invalid(`The query has ${sql.length} characters; at most ${longestSql} are taken.`)
  }
  if (sql.includes('\0')) return invalid('The query holds a NUL character. Leave it out.')
  const cut = cutSql(sql, dialect)
  if (cut.status === 'refused') return invalid(cut.message)
  const tokens = withoutLastSemicolons(cut.tokens)
  const [first] = tokens
  if (first === undefined) return invalid('The query is empty. Write one SELECT statement.')
  if (tokens.some((token) => isSymbol(token, ';'))) {
    return invalid('Only one statement is run at a time. Send the statements one by one.')
  }
  return checkTokens(tokens, { sql, dialect })
}

interface Asked {
  sql: string
  dialect: Dialect
}

function checkTokens(tokens: Token[], asked: Asked): GateVerdict {
  const start = tokens.findIndex((token) => !isSymbol(token, '('))
  const first = tokens[start]
  const verb = first?.kind === 'word' ? verbOf(first.text, asked.dialect) : undefined
  if (first === undefined || verb === undefined) return notReading(first)
  const text = (from: number) => asked.sql.slice(from, tokens.at(-1)!.to)
  const sql = text(tokens[0]!.from)
  if (verb === 'show') return checkShow(tokens.slice(start + 1), { sql, asked })
  if (verb === 'describe' && asked.dialect === 'mysql' && !isTableName(tokens.slice(start + 1))) {
    return forbidden('DESCRIBE tells of a table: give its name alone. For a query use EXPLAIN.')
  }
  if (verb === 'explain') {
    const inner = explained(tokens.slice(start + 1), asked.dialect)
    if (inner.status === 'refused') return inner
    const fault = findFault(inner.tokens, asked.dialect)
    return fault ?? { status: 'ok', verb, sql, inner: text(inner.tokens[0]!.from) }
  }
  return findFault(tokens, asked.dialect) ?? { status: 'ok', verb, sql, inner: sql }
}

function withoutLastSemicolons(tokens: Token[]): Token[] {
  const last = tokens.findLastIndex((token) => !isSymbol(token, ';'))
  return tokens.slice(0, last + 1)
}

function checkShow(rest: Token[], { sql, asked }: { sql: string; asked: Asked }): GateVerdict {
  const words = rest.map(({ text }) => text.toLowerCase()).join(' ')
  if (!mayShow(words, asked.dialect) || rest.some((_, at) => isMoreThanShown(rest, at))) {
    return forbidden('This SHOW is not offered. Ask information_schema for tables and columns.')
  }
  return findFault(rest, asked.dialect) ?? { status: 'ok', verb: 'show', sql, inner: sql }
}

const beforeBrackets = new Set(['where', 'and', 'or', 'not', 'in', 'like', 'between', 'xor'])

/** A query, a function or a variable in the condition of a SHOW. */
function isMoreThanShown(tokens: Token[], at: number): boolean {
  const token = tokens[at]!
  if (isSymbol(token, '@')) return true
  if (token.kind !== 'word' && token.kind !== 'name') return false
  if (isSymbol(tokens[at - 1], '(') && queries.has(lower(token))) return true
  return isSymbol(tokens[at + 1], '(') && !beforeBrackets.has(lower(token))
}

const queries = new Set(['select', 'with', 'values', 'table'])
const explains = new Set([
  ...['select', 'with', 'values', 'table', 'insert', 'update', 'delete', 'replace', 'analyze'],
  ...['analyse', 'extended', 'partitions', 'format', 'for'],
])

/** DESCRIBE is EXPLAIN for MySQL but for a table, with one of its columns or a pattern. */
function isTableName(rest: Token[]): boolean {
  const [first] = rest
  if (first?.kind === 'word' && explains.has(lower(first))) return false
  const path = isSymbol(rest[1], '.') ? rest.slice(0, 3) : rest.slice(0, 1)
  const [column, ...more] = rest.slice(path.length)
  const isName = (token: Token | undefined) => token?.kind === 'word' || token?.kind === 'name'
  const isPath = isName(first) && isName(path.at(-1))
  return (
    isPath &&
    (column === undefined || isName(column) || column.kind === 'string') &&
    more.length === 0
  )
}

type Explained = { status: 'ok'; tokens: Token[] } | (GateVerdict & { status: 'refused' })

const explainOptions =
  /^(?:verbose|extended|partitions|query|plan|format|json|tree|traditional|text|xml|yaml|=)$/i

/** What follows EXPLAIN and its options. */
function explained(rest: Token[], dialect: Dialect): Explained {
  const isRead = (token: Token | undefined) =>
    token?.kind === 'word' && verbOf(token.text, dialect) === 'select'
  const inBrackets = isSymbol(rest[0], '(') && !isRead(rest[1])
  const afterBrackets = inBrackets ? rest.findIndex((token) => isSymbol(token, ')')) + 1 : 0
  const start = rest.findIndex(
    (token, at) => at >= afterBrackets && !explainOptions.test(token.text),
  )
  const options = start === -1 ? rest : rest.slice(0, start + 1)
  if (options.some(({ text }) => /^analy[sz]e$/i.test(text))) {
    return forbidden('EXPLAIN ANALYZE runs the statement. Use EXPLAIN alone.')
  }
  const inner = start === -1 ? [] : rest.slice(start)
  const first = inner.find((token) => !isSymbol(token, '('))
  if (!isRead(first)) return forbidden('Only a SELECT can be explained.')
  return { status: 'ok', tokens: inner }
}

function findFault(tokens: Token[], dialect: Dialect): GateVerdict | undefined {
  for (const [at, token] of tokens.entries()) {
    const fault = faultAt(tokens, at, dialect)
    if (fault !== undefined) return fault
    if (token.kind === 'word' && /^u$/i.test(token.text) && isUnicodeEscape(tokens, at)) {
      return forbidden('Names and texts written as U&… are not taken. Write them out.')
    }
  }
  return undefined
}

function faultAt(tokens: Token[], at: number, dialect: Dialect): GateVerdict | undefined {
  const token = tokens[at]!
  const next = tokens[at + 1]
  if (token.kind !== 'word' && token.kind !== 'name') return undefined
  if (isSymbol(next, '(') && isRefusedFunction(token.text, dialect)) {
    return forbidden(
      `The function ${token.text} is not offered: it does more than compute from the tables.`,
    )
  }
  return token.kind === 'word' ? wordFault(tokens, at, dialect) : undefined
}

function wordFault(tokens: Token[], at: number, dialect: Dialect): GateVerdict | undefined {
  const word = lower(tokens[at])
  const next = lower(tokens[at + 1])
  const before = tokens[at - 1]
  if (word === 'into' && dialect !== 'duckdb') {
    return forbidden('SELECT … INTO writes. Leave INTO out: the result is given to you.')
  }
  if (writing.has(word) && (isSymbol(before, '(') || isSymbol(before, ')')) && next !== '(') {
    return forbidden(`${word.toUpperCase()} changes data; only reading is offered.`)
  }
  if (word === 'for' && locking.has(next) && dialect !== 'duckdb') {
    return forbidden('Rows are not locked here. Leave FOR UPDATE or FOR SHARE out.')
  }
  if (dialect === 'mysql') return mysqlFault(word, next)
  return undefined
}

function mysqlFault(word: string, next: string): GateVerdict | undefined {
  if (word === 'lock' && next === 'in') return forbidden('Rows are not locked here.')
  if (word === 'procedure') return forbidden('PROCEDURE is not offered in a query.')
  if ((word === 'next' || word === 'previous') && next === 'value') {
    return forbidden('Sequences are not advanced here.')
  }
  return undefined
}

function isUnicodeEscape(tokens: Token[], at: number): boolean {
  const [token, and, quoted] = tokens.slice(at, at + 3)
  return isSymbol(and, '&') && and!.from === token!.to && quoted?.from === and!.to
}

function notReading(first: Token | undefined): GateVerdict {
  const word = first?.text.toUpperCase().slice(0, 40) ?? ''
  return forbidden(
    `Only statements that read are run, and this one begins with ${word}. Begin with SELECT or WITH.`,
  )
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text
}

function lower(token: Token | undefined): string {
  return token?.kind === 'word' ? token.text.toLowerCase() : (token?.text ?? '')
}

function invalid(message: string): GateVerdict & { status: 'refused' } {
  return { status: 'refused', code: 'invalid_request', message }
}

function forbidden(message: string): GateVerdict & { status: 'refused' } {
  return { status: 'refused', code: 'forbidden', message }
}
