import type { DuckDBConnection } from '@duckdb/node-api'
import type { Hidden } from '../../hidden.ts'
import { WorkError } from '../work-error.ts'
import { asksCatalogue } from './check-tree.ts'
import { isNode, lower, type Node, type StatementTree } from './statement-tree.ts'

/**
 * Refuses what reads a table with hidden columns by any other way than a WITH of its name, the
 * first ones of the statement, that names columns which are not hidden and does nothing else. What
 * macros of the file read is not in the tree: none is run.
 */
export async function checkHidden(
  connection: DuckDBConnection,
  tree: StatementTree,
  hidden: Hidden,
): Promise<void> {
  if (asksCatalogue(tree)) throw notOffered()
  for (const name of await macrosOf(connection)) {
    if (tree.tableFunctions.has(name) || tree.functions.has(name)) throw noMacro(name)
  }
  const reader = await connection.runAndReadAll('SELECT current_database()')
  const database = lower(reader.getRowsJson()[0]?.[0])
  const ctes = ctesOf(tree.statement)
  for (const { table, within } of findTables(tree.statement, ctes)) {
    const names = namesOf(table, database)
    if (!hidden.hidesSomeOf({ names, isView: false })) continue
    const at = ctes.findIndex(({ key }) => key === lower(table.table_name))
    const isBare = table.schema_name === '' && table.catalog_name === ''
    if (isBare && at !== -1 && (within === undefined || at < within)) continue
    const isOurs = at !== -1 && at === within && shows(ctes[at]!.value, { hidden, names })
    if (!isOurs) throw notOffered()
  }
}

/** Also those that have the name of a function of DuckDB, and take its place. */
async function macrosOf(connection: DuckDBConnection): Promise<Set<string>> {
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT function_name FROM duckdb_functions()
     WHERE NOT internal AND database_name = current_database()`,
  )
  return new Set(reader.getRowsJson().map(([name]) => lower(name)))
}

interface Cte {
  key: string
  value: Node
}

/** Those of the statement itself, in their order. */
function ctesOf({ node }: Node): Cte[] {
  const map = ((node as Node).cte_map as Node | undefined)?.map ?? []
  return (map as Node[]).map(({ key, value }) => ({ key: lower(key), value: value as Node }))
}

/** All that it names as tables; `within` is the one of its WITHs that has it. */
function findTables(statement: Node, ctes: readonly Cte[]) {
  const found: { table: Node; within: number | undefined }[] = []
  const open: { node: Node; within: number | undefined }[] = [
    { node: statement, within: undefined },
  ]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node } = place
    const at = ctes.findIndex(({ value }) => value === node)
    const within = at === -1 ? place.within : at
    if (node.type === 'BASE_TABLE') found.push({ table: node, within })
    for (const inner of Object.values(node)) if (isNode(inner)) open.push({ node: inner, within })
  }
  return found
}

/** As notes call it: a table of another schema than the first has that before it. */
function namesOf({ schema_name, table_name }: Node, database: string): string[] {
  const schema = lower(schema_name)
  const name = lower(table_name)
  const isFirst = schema === '' || schema === 'main' || schema === database
  return isFirst ? [name, `main.${name}`] : [`${schema}.${name}`]
}

/** Whether it is `SELECT a, b FROM t`, and none of the columns is hidden. */
function shows(
  { query, aliases }: Node,
  { hidden, names }: { hidden: Hidden; names: readonly string[] },
): boolean {
  const { select_list, from_table, modifiers, ...rest } = (query as Node).node as Node
  const { alias, column_name_alias } = from_table as Node
  const isPlain = [aliases, modifiers, column_name_alias, rest.group_expressions].every(
    (list) => Array.isArray(list) && list.length === 0,
  )
  const isWhole = [rest.where_clause, rest.having, rest.qualify].every((part) => part === null)
  const areShown = (select_list as Node[]).every(({ class: kind, column_names }) => {
    const [column, ...more] = (column_names ?? []) as string[]
    if (kind !== 'COLUMN_REF' || column === undefined || more.length > 0) return false
    return !hidden.hidesColumn({ names, isView: false }, column)
  })
  const isTable = (from_table as Node).type === 'BASE_TABLE' && alias === ''
  return isPlain && isWhole && areShown && isTable && !hidden.hidesTable({ names, isView: false })
}

function noMacro(name: string): WorkError {
  return new WorkError(
    'forbidden',
    `The macro ${name.slice(0, 100)} is not offered, as parts of this source are not. Ask its tables.`,
  )
}

function notOffered(): WorkError {
  return new WorkError('forbidden', 'The statement reads what is not offered.')
}
