import type { DataTable } from '@dataagent/schema'
import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBResult,
  StatementType,
  version,
} from '@duckdb/node-api'
import { toHidden } from '../../hidden.ts'
import type { AskedQuery, RunnerSetUp, RunnerSource } from '../../runner/messages.ts'
import type { Session } from '../session.ts'
import { WorkError } from '../work-error.ts'
import { checkHidden } from './check-hidden.ts'
import { toColumns } from './columns.ts'
import { openDatabaseTables } from './database-tables.ts'
import { openFolderTables } from './folder-tables.ts'
import { readTree, type StatementTree } from './statement-tree.ts'
import { toWorkError } from './to-work-error.ts'
import { createRowReader } from './values.ts'

/** The tables that a DuckDB session offers: those of a file, or files of a folder. */
export interface SessionTables {
  /** The database as it is now: a file that was replaced is opened anew. */
  instance(): Promise<DuckDBInstance>
  /** Makes ready what `tree` names, and refuses it where it names anything else. */
  prepare(connection: DuckDBConnection, tree: StatementTree): Promise<void>
  describe(connection: DuckDBConnection, names: readonly string[] | undefined): Promise<DataTable[]>
}

export interface DuckdbSetUp extends RunnerSetUp {
  source: Exclude<RunnerSource, { kind: 'sqlite' }>
}

export async function openDuckdb(setUp: DuckdbSetUp): Promise<Session> {
  const { source } = setUp
  const toTold = (error: unknown) => toWorkError(error, source)
  const tables = await openTables(setUp).catch((error) => {
    throw toTold(error)
  })
  let running: DuckDBConnection | undefined

  /** One of its own for each piece of work: what was broken off leaves nothing behind. */
  async function connect() {
    const connection = await tables.instance().then((instance) => instance.connect())
    running = connection
    return {
      connection,
      [Symbol.dispose]() {
        running = undefined
        connection.disconnectSync()
      },
    }
  }

  async function* readRows(held: Disposable, result: DuckDBResult) {
    using _ = held
    const toRows = createRowReader(result)
    try {
      for (;;) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0) {
          // A stream that fails midway ends as a good one does, but for this.
          if (!result.isStreaming) throw new WorkError('invalid_request', brokenOff)
          return
        }
        yield toRows(chunk)
      }
    } catch (error) {
      throw toTold(error)
    }
  }

  return {
    version: `DuckDB ${version()}`,
    async describe({ tables: names }) {
      try {
        using held = await connect()
        return await tables.describe(held.connection, names)
      } catch (error) {
        throw toTold(error)
      }
    },
    async query(asked) {
      using cleanup = new DisposableStack()
      try {
        const held = cleanup.use(await connect())
        const result = await start(held.connection, tables, asked)
        const columns = toColumns(result)
        cleanup.move()
        return { columns, rows: readRows(held, result) }
      } catch (error) {
        throw toTold(error)
      }
    },
    interrupt: () => running?.interrupt(),
  }
}

const brokenOff =
  'The query broke off before its last row: a value could not be computed, or memory ran out.'

function openTables(setUp: DuckdbSetUp): Promise<SessionTables> {
  const { source } = setUp
  if (source.kind === 'files') return openFolderTables({ ...setUp, folder: source.folder })
  return openDatabaseTables({ ...setUp, path: source.path })
}

async function start(
  connection: DuckDBConnection,
  tables: SessionTables,
  { sql, explain, hidden: notes }: AskedQuery,
): Promise<DuckDBResult> {
  const tree = await readTree(connection, sql)
  const hidden = notes && toHidden(notes)
  if (hidden) await checkHidden(connection, tree, hidden)
  await tables.prepare(connection, tree)
  const statements = await connection.extractStatements(explain ? `EXPLAIN ${sql}` : sql)
  if (statements.count !== 1) throw new WorkError('invalid_request', 'Send one statement.')
  const prepared = await statements.prepare(0)
  const wanted = explain ? StatementType.EXPLAIN : StatementType.SELECT
  if (prepared.statementType !== wanted) {
    throw new WorkError('forbidden', 'Only SELECT statements are run.')
  }
  return await prepared.stream()
}
