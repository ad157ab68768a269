import type { DuckDBConnection } from '@duckdb/node-api'
import { WorkError } from '../work-error.ts'

/** What a SELECT names, as DuckDB's own parser reads it. */
export interface StatementTree {
  statement: Node
  tables: { catalog: string; schema: string; name: string }[]
  tableFunctions: Set<string>
  functions: Set<string>
  /** Of `WITH`. */
  ctes: Set<string>
  /** It has a SHOW TABLES or the like in it, which names no table. */
  shows: boolean
}

export type Node = Record<string, unknown>

/** Refuses what is not exactly one SELECT. */
export async function readTree(connection: DuckDBConnection, sql: string): Promise<StatementTree> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])
  const answer = JSON.parse(String(reader.getRowsJson()[0]?.[0])) as Node
  if (answer.error === true) throw toRefusal(answer)
  const statements = answer.statements as unknown[]
  if (statements.length !== 1) {
    throw new WorkError('invalid_request', 'Only one statement is run at a time.')
  }
  return collect(statements[0] as Node)
}

function toRefusal(answer: Node): WorkError {
  if (answer.error_type === 'not implemented') {
    return new WorkError(
      'forbidden',
      'Only SELECT statements are run. PIVOT needs its columns listed: PIVOT t ON c IN (…) USING … inside a SELECT.',
    )
  }
  return new WorkError('invalid_request', `The query cannot be read: ${answer.error_message}`)
}

/** Without recursion: how deep a query goes is for its writer to say. */
function collect(root: Node): StatementTree {
  const tree: StatementTree = {
    statement: root,
    ...{ tables: [], tableFunctions: new Set(), functions: new Set(), ctes: new Set() },
    shows: false,
  }
  const open: unknown[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!Array.isArray(node)) note(node as Node, tree)
    for (const inner of Object.values(node as Node)) if (isNode(inner)) open.push(inner)
  }
  return tree
}

function note(node: Node, tree: StatementTree): void {
  if (node.type === 'BASE_TABLE') {
    const { catalog_name: catalog, schema_name: schema, table_name: name } = node
    tree.tables.push({ catalog: lower(catalog), schema: lower(schema), name: lower(name) })
  }
  if (node.type === 'SHOW_REF' && node.query === null) tree.shows = true
  if (node.type === 'TABLE_FUNCTION') {
    tree.tableFunctions.add(lower((node.function as Node | undefined)?.function_name))
  } else if (typeof node.function_name === 'string') tree.functions.add(lower(node.function_name))
  if (isNode(node.cte_map)) {
    const entries = ((node.cte_map as Node).map ?? []) as Node[]
    for (const { key } of entries) tree.ctes.add(lower(key))
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

export function lower(value: unknown): string {
  return String(value ?? '').toLowerCase()
}
