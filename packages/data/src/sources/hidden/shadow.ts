import { AppError } from '@dataagent/schema'
import { fold } from '../../engines/index.ts'
import type { Token } from '../../sql-gate/index.ts'
import { quoteName, quotePath } from '../quote.ts'
import type { Relation } from './relations.ts'
import { isSymbol, isWord, type Statement } from './statement.ts'

/** A relation with what of it may be seen: no columns where it is hidden altogether. */
export interface Seen {
  relation: Relation
  shown: readonly string[]
  isWhole: boolean
}

interface Edit {
  from: number
  to: number
  text: string
}

export interface Shadowed {
  sql: string
  /** Those that our WITH has taken. */
  names: readonly string[]
}

/**
 * The statement with a WITH of ours before it, which takes the name of each table that has hidden
 * columns and gives the others: what the database finds under that name, `*` and all, is what may
 * be seen. Names that reach past it, with a schema, are made bare.
 */
export function shadowHidden(statement: Statement, found: readonly Seen[]): Shadowed {
  const edits: Edit[] = []
  const names: string[] = []
  const ctes: string[] = []
  for (const [name, seen] of Map.groupBy(found, ({ relation }) => fold(relation.table))) {
    if (seen.every(({ isWhole }) => isWhole)) continue
    const uses = findUses(statement, name, seen)
    const used = new Set(uses.map((use) => use.seen))
    if ([...used].every(({ isWhole }) => isWhole)) continue
    if (used.size > 1) throw refused(`Two tables are called ${name}. Ask them in two queries.`)
    const [one] = used
    names.push(one!.relation.table)
    ctes.push(toCte(one!, statement, uses))
    edits.push(...uses.flatMap(({ edit }) => edit ?? []))
  }
  if (ctes.length === 0) return { sql: statement.before + statement.body, names }
  if (statement.kind === 'mysql') refuseInnerWith(statement)
  return { sql: statement.before + withCtes(statement, edits, ctes.join(', ')), names }
}

interface Use {
  seen: Seen
  /** Whether it can be nothing but a table. */
  isSure: boolean
  edit?: Edit
}

function findUses({ kind, tokens }: Statement, name: string, all: readonly Seen[]): Use[] {
  const visible = all.find(({ relation }) => relation.isVisible)
  return tokens.flatMap((token, at): Use[] => {
    if (!mayName(token, name, kind)) return []
    const path = qualifiersBefore(tokens, at)
    if (path.length > 0) {
      const seen = all.find(({ relation }) => isQualified(relation, path))
      if (seen === undefined || seen.isWhole) return seen ? [{ seen, isSure: true }] : []
      refuseType(statementPart(tokens, at - path.length * 2, at), name)
      const from = tokens[at - path.length * 2]!.from
      const text = quoteName(seen.relation.table, kind)
      return [{ seen, isSure: true, edit: { from, to: token.to, text } }]
    }
    if (visible === undefined) return []
    refuseSameName(tokens, at, name)
    if (!visible.isWhole) refuseType(statementPart(tokens, at, at), name)
    if (isSymbol(tokens[at + 1], '.')) return []
    const isSure = isWord(tokens[at - 1], ...beforeTables)
    const text = quoteName(visible.relation.table, kind)
    // Whether names differ by case is a setting of the server.
    const edit = kind === 'mysql' ? { from: token.from, to: token.to, text } : undefined
    return [{ seen: visible, isSure, ...(edit && !visible.isWhole && { edit }) }]
  })
}

const beforeTables = [
  ...['from', 'join', 'straight_join', 'table', 'describe', 'desc', 'summarize', 'show'],
] as const

/** A text is a name in places where SQLite and DuckDB want one. */
function mayName(token: Token, name: string, kind: Statement['kind']): boolean {
  if (token.kind === 'string' && (kind === 'mysql' || kind === 'postgres')) return false
  if (token.kind === 'number' || token.kind === 'symbol') return false
  return fold(token.text) === name
}

/** The names and dots before a name, the outermost first. */
function qualifiersBefore(tokens: readonly Token[], at: number): string[] {
  const path: string[] = []
  for (let i = at - 1; isSymbol(tokens[i], '.'); i -= 2) {
    const before = tokens[i - 1]
    const isName = before?.kind === 'word' || before?.kind === 'name' || before?.kind === 'string'
    if (!isName || isWord(before, ...beforeTables)) {
      throw refused('A name begins with a dot. Write the table without it.')
    }
    path.unshift(before.text)
  }
  return path
}

function isQualified({ qualifiers }: Relation, path: readonly string[]): boolean {
  return qualifiers.some((one) => fold(one) === fold(path.at(-1)!))
}

interface Part {
  before: Token | undefined
  beforeThat: Token | undefined
  after: Token | undefined
}

function statementPart(tokens: readonly Token[], from: number, to: number): Part {
  return { before: tokens[from - 1], beforeThat: tokens[from - 2], after: tokens[to + 1] }
}

/** In PostgreSQL a table is also a type, with all its columns. */
function refuseType({ before, beforeThat, after }: Part, name: string): void {
  const isCast = isSymbol(before, ':') && isSymbol(beforeThat, ':')
  const isCastAs = isWord(before, 'as') && (isSymbol(after, ')') || isSymbol(after, '['))
  if (isCast || isCastAs) throw refused(`${name} is not offered as a type.`)
}

/** Databases do not agree on which of the two a name within means. */
function refuseSameName(tokens: readonly Token[], at: number, name: string): void {
  let next = at + 1
  if (isSymbol(tokens[next], '(')) next = closing(tokens, next) + 1
  if (!isWord(tokens[next], 'as')) return
  const isList = isSymbol(tokens[next + 1], '(')
  if (isList || isWord(tokens[next + 1], 'materialized', 'not')) {
    throw refused(`The WITH ${name} has the name of a table. Give it another.`)
  }
}

/** In MariaDB a WITH does not reach into another. */
function refuseInnerWith({ tokens }: Statement): void {
  const isInner = (token: Token, at: number) =>
    at > 0 && isWord(token, 'with') && !isWord(tokens[at + 1], 'rollup', 'ties', 'query')
  if (tokens.some(isInner)) throw refused('Write one WITH, at the beginning of the statement.')
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    if (isSymbol(tokens[at], '(')) depth += 1
    if (isSymbol(tokens[at], ')')) depth -= 1
    if (depth === 0) return at
  }
  return tokens.length
}

function toCte({ relation, shown }: Seen, { kind }: Statement, uses: readonly Use[]): string {
  if (shown.length === 0 && uses.some(({ isSure }) => isSure)) {
    throw new AppError(
      'not_found',
      `There is no table ${relation.table}. See describe_source for those that there are.`,
    )
  }
  const columns = shown.map((name) => quoteName(name, kind)).join(', ')
  // A name that may be a column's: where it is a table's after all, that table is empty.
  const body = columns
    ? `${columns} FROM ${quotePath(relation.path, kind)}`
    : 'NULL AS not_offered LIMIT 0'
  const inlined = kind === 'mysql' || kind === 'sqlite' ? '' : 'NOT MATERIALIZED '
  return `${quoteName(relation.table, kind)} AS ${inlined}(SELECT ${body})`
}

function withCtes({ body, tokens, verb }: Statement, edits: readonly Edit[], ctes: string): string {
  const [first, second] = tokens
  const begins = first?.from ?? 0
  if (isWord(first, 'with')) {
    const at = (isWord(second, 'recursive') ? second! : first!).to
    return edited(body, [...edits, { from: at, to: at, text: ` ${ctes},` }])
  }
  const isInside = isWord(
    tokens.find((token) => !isSymbol(token, '(')),
    'with',
  )
  if (verb === 'describe' || isInside) {
    return `WITH ${ctes} SELECT * FROM (${edited(body, edits)}\n) AS given`
  }
  return edited(body, [...edits, { from: begins, to: begins, text: `WITH ${ctes} ` }])
}

function edited(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((made, { from, to, text: by }) => made.slice(0, from) + by + made.slice(to), text)
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message)
}
