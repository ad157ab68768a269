import { WorkError } from '../work-error.ts'
import type { StatementTree } from './statement-tree.ts'

/** Table functions that read nothing but what they are given. */
const harmless = new Set([
  ...['range', 'generate_series', 'unnest', 'repeat', 'repeat_row', 'json_each', 'json_tree'],
  ...['summary', 'duckdb_tables', 'duckdb_columns', 'duckdb_functions', 'duckdb_types'],
  ...['duckdb_keywords', 'pg_timezone_names', 'icu_calendar_names', 'test_all_types'],
])

/** Functions that tell of the machine, write, or advance something. */
const refused = new Set([
  ...['current_setting', 'nextval', 'currval', 'write_log', 'stats', 'which_secret'],
])

const catalogues = new Set(['tables', 'columns', 'table_constraints', 'key_column_usage'])
const catalogueViews = new Set(['duckdb_tables', 'duckdb_columns'])

/** What the source itself has. Names are in lower case. */
export interface Known {
  tables: ReadonlySet<string>
  /** Table macros of a database file. */
  macros: ReadonlySet<string>
}

/** Whether a statement asks the catalogue, so that all tables should be in it. */
export function asksCatalogue({ tables, tableFunctions, shows }: StatementTree): boolean {
  return (
    shows || tables.some(isCatalogue) || [...tableFunctions].some((name) => /^duckdb_/.test(name))
  )
}

/**
 * Lets through what reads the tables of the source and nothing else. DuckDB's settings keep files
 * out besides; here it is told before and in words.
 */
export function checkTree(tree: StatementTree, known: Known): void {
  for (const name of tree.tableFunctions) {
    if (!harmless.has(name) && !known.macros.has(name)) throw noFunction(name)
  }
  for (const name of tree.functions) if (refused.has(name)) throw noFunction(name)
  for (const name of tree.ctes) {
    if (/[/\\.]/.test(name)) throw new WorkError('invalid_request', 'A WITH has a name of a path.')
  }
  for (const table of tree.tables) {
    if (isCatalogue(table) || known.tables.has(table.name)) continue
    if (tree.ctes.has(table.name) && table.schema === '') continue
    throw noTable(table.name, [...known.tables])
  }
}

function isCatalogue({ schema, name }: StatementTree['tables'][number]): boolean {
  if (schema === 'information_schema') return catalogues.has(name)
  return catalogueViews.has(name)
}

function noFunction(name: string): WorkError {
  return new WorkError(
    'forbidden',
    `The function ${name} is not offered here. Ask the tables of this source by their names.`,
  )
}

function noTable(name: string, known: string[]): WorkError {
  const some = known.toSorted().slice(0, 30).join(', ')
  const rest = known.length > 30 ? ` and ${known.length - 30} more` : ''
  const there = known.length === 0 ? 'This source has no tables.' : `There are: ${some}${rest}.`
  return new WorkError('not_found', `There is no table ${name.slice(0, 100)}. ${there}`)
}
