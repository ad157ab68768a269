import { stat } from 'node:fs/promises'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { RunnerSetUp } from '../../runner/messages.ts'
import { WorkError } from '../work-error.ts'
import { describeCatalogue } from './catalogue.ts'
import { checkTree } from './check-tree.ts'
import type { SessionTables } from './duckdb-session.ts'
import { openLocked } from './open-locked.ts'

/** The tables of a DuckDB file, which is opened for reading only. */
export async function openDatabaseTables(
  setUp: RunnerSetUp & { path: string },
): Promise<SessionTables> {
  const { path } = setUp
  let opened: { instance: DuckDBInstance; stamp: string } | undefined

  async function instance(): Promise<DuckDBInstance> {
    const stamp = await stampOf(path)
    if (opened?.stamp === stamp) return opened.instance
    opened?.instance.closeSync()
    opened = undefined
    opened = { instance: await openLocked({ ...setUp, folder: undefined }), stamp }
    return opened.instance
  }

  await instance()
  return {
    instance,
    async prepare(connection, tree) {
      checkTree(tree, await known(connection))
    },
    async describe(connection, names) {
      const tables = await describeCatalogue(connection, names)
      return tables.map(({ name, columns }) => ({ name, row_count: null, columns }))
    },
  }
}

async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile()) return `${found.dev}.${found.ino}.${found.size}.${found.mtimeMs}`
  throw new WorkError('unavailable', 'The database file is not there.')
}

async function known(connection: DuckDBConnection) {
  const namesOf = async (sql: string) => {
    const reader = await connection.runAndReadAll(sql)
    return new Set(reader.getRowsJson().map(([name]) => String(name).toLowerCase()))
  }
  const own = 'NOT internal AND database_name = current_database()'
  return {
    tables: await namesOf(
      `SELECT table_name FROM duckdb_tables() WHERE ${own}
       UNION SELECT view_name FROM duckdb_views() WHERE ${own}`,
    ),
    macros: await namesOf(
      `SELECT function_name FROM duckdb_functions()
       WHERE function_type = 'table_macro' AND ${own}`,
    ),
  }
}
