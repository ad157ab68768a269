import { AppError, type SourceKind } from '@dataagent/schema'
import { fold } from '../../engines/index.ts'
import type { Token } from '../../sql-gate/index.ts'
import { isSymbol, isWord, type Statement } from './statement.ts'

/**
 * Refuses what tells of tables and columns by other ways than describe_source, or reads a table by
 * a name in a text.
 */
export function refuseCatalogue(statement: Statement): void {
  const { kind, verb, tokens } = statement
  if (kind === 'mysql' && (verb === 'show' || verb === 'describe')) throw notTold()
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'word' || token.kind === 'name') {
      if (refusals[kind].some((refuses) => refuses(tokens, at))) throw notTold()
    } else if (token.kind === 'string' && refusedTexts[kind]?.test(fold(token.text))) {
      throw notTold()
    }
  }
}

type Refuses = (tokens: readonly Token[], at: number) => boolean

/** What has one of these names and a dot after it. */
function schemas(names: RegExp): Refuses {
  return (tokens, at) => names.test(fold(tokens[at]!.text)) && isSymbol(tokens[at + 1], '.')
}

function tables(names: RegExp): Refuses {
  return (tokens, at) => names.test(fold(tokens[at]!.text)) && !isSymbol(tokens[at + 1], '(')
}

function anything(names: RegExp): Refuses {
  return (tokens, at) => names.test(fold(tokens[at]!.text))
}

/** `SHOW TABLES` and the like within a query: lists that name no table. */
const lists: Refuses = (tokens, at) =>
  isWord(tokens[at], 'show', 'describe', 'desc') &&
  (at === 0 || isSymbol(tokens[at - 1], '(')) &&
  (tokens[at + 1] === undefined ||
    isSymbol(tokens[at + 1], ')') ||
    isWord(tokens[at + 1], 'tables', 'all', 'databases', 'schemas'))

const dataFile = /\.(?:csv|tsv|json|ndjson|jsonl|parquet|xlsx)(?:\.gz)?$/
const duckdbViews = /^(?:duckdb_\w+|sqlite_(?:master|schema)|pragma_\w+|pg_\w+)$/
const duckdb = [
  schemas(/^(?:information_schema|pg_catalog)$/),
  anything(/^(?:duckdb_|pragma_|sqlite_master$|sqlite_schema$)/),
  tables(/^pg_/),
  lists,
]

const refusals: Readonly<Record<SourceKind, readonly Refuses[]>> = {
  files: [...duckdb, anything(dataFile)],
  duckdb,
  sqlite: [anything(/^(?:pragma_|dbstat$)/), tables(/^sqlite_/)],
  mysql: [schemas(/^(?:information_schema|performance_schema|mysql|sys)$/)],
  postgres: [
    schemas(/^(?:information_schema|pg_catalog|pg_toast)$/),
    tables(/^pg_/),
    anything(/^(?:pg_get_\w+|(?:table|schema|database)_to_xml\w*)$/),
  ],
}

/** These take a text for the name of a table. */
const refusedTexts: Readonly<Partial<Record<SourceKind, RegExp>>> = {
  files: new RegExp(`${dataFile.source}|${duckdbViews.source}`),
  duckdb: duckdbViews,
  sqlite:
    /^(?:sqlite_(?:schema|master|temp_schema|temp_master|sequence|stat\d)|pragma_\w+|dbstat)$/,
}

function notTold(): AppError {
  return new AppError(
    'forbidden',
    'Parts of this source are not offered, and so its catalogue is not. Use describe_source, and name tables as it does.',
  )
}
