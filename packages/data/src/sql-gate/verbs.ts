import type { Dialect } from './dialects.ts'

/** What a statement that is let through does. */
export type Verb = 'select' | 'describe' | 'explain' | 'show'

const reads = { select: 'select', with: 'select', values: 'select' } as const
const describes = { describe: 'describe', desc: 'describe' } as const

/** The first words with which a statement may begin. */
const verbs: Readonly<Record<Dialect, Readonly<Record<string, Verb>>>> = {
  sqlite: { ...reads, explain: 'explain' },
  postgres: { ...reads, table: 'select', explain: 'explain', show: 'show' },
  mysql: { ...reads, ...describes, table: 'select', explain: 'explain', show: 'show' },
  duckdb: {
    ...{ ...reads, ...describes, table: 'select', from: 'select' },
    ...{ explain: 'explain', show: 'describe', summarize: 'describe' },
  },
}

export function verbOf(first: string, dialect: Dialect): Verb | undefined {
  const known = verbs[dialect]
  const name = first.toLowerCase()
  return Object.hasOwn(known, name) ? known[name] : undefined
}

/** Of MySQL: what names tables and columns, and nothing of other sessions, users or settings. */
const shownByMysql = firstWords([
  ...['tables', 'columns', 'fields', 'index', 'indexes', 'keys', 'create table', 'create view'],
  ...['table status', 'databases', 'schemas', 'warnings', 'character set', 'collation'],
])

/** Of PostgreSQL: settings that change what a query means. */
const shownByPostgres = firstWords([
  ...['server_version', 'server_version_num', 'server_encoding', 'client_encoding'],
  ...['search_path', 'datestyle', 'intervalstyle', 'timezone', 'time zone', 'lc_\\w+'],
  ...['default_text_search_config', 'transaction_isolation', 'transaction_read_only'],
])

function firstWords(choices: readonly string[]): RegExp {
  return new RegExp(`^(?:full |extended )*(?:${choices.join('|')})(?= |$)`)
}

/** Whether `SHOW` may be followed by `rest`, words in lower case. */
export function mayShow(rest: string, dialect: Dialect): boolean {
  return (dialect === 'mysql' ? shownByMysql : shownByPostgres).test(rest)
}
