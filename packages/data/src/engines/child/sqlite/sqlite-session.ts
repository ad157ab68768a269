import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { DataRow } from '@dataagent/schema'
import { createBatch } from '../../batch.ts'
import { toHidden } from '../../hidden.ts'
import type { AskedQuery, RunnerLimits } from '../../runner/messages.ts'
import type { Session } from '../session.ts'
import { WorkError } from '../work-error.ts'
import { allowReadsOnly, type Wall } from './authorizer.ts'
import { describeSqlite } from './describe.ts'
import { toAddress, wasChanged } from './file-address.ts'
import { toColumns, toRow } from './values.ts'

/** A piece has so many rows, or fewer that are as many bytes as a batch. */
const pieceRows = 500
const kindRows = 50

/**
 * An SQLite file, opened anew for each piece of work: nothing is held while nobody asks. A long
 * step cannot be interrupted; who does not want to wait ends the process.
 */
export async function openSqlite(needs: { path: string; limits: RunnerLimits }): Promise<Session> {
  let isStopped = false

  function open(asked?: AskedQuery) {
    const address = toAddress(needs.path)
    const database = openDatabase(address.uri, needs.limits)
    const held = {
      database,
      address,
      [Symbol.dispose]() {
        if (database.isOpen) database.close()
      },
    }
    using cleanup = new DisposableStack()
    cleanup.use(held)
    allowReadsOnly(database, asked && toWall(asked))
    cleanup.move()
    return held
  }

  async function told<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toWorkError(error, needs.path)
    }
  }

  /** `firsts` gets the first value of each column, as SQLite has it. */
  async function* readRows(
    held: ReturnType<typeof open>,
    statement: StatementSync,
    firsts: unknown[],
  ) {
    using _ = held
    try {
      const piece = createBatch()
      let seen = 0
      for (const row of statement.iterate() as Iterable<unknown>) {
        const values = row as unknown[]
        if (seen < kindRows) noteFirsts(firsts, values)
        seen += 1
        piece.add(toRow(values))
        if (seen % pieceRows !== 0 && !piece.isFull) continue
        yield piece.take()
        if (isStopped) return
      }
      if (!piece.isEmpty) yield piece.take()
    } catch (error) {
      throw toWorkError(error, needs.path)
    }
    if (wasChanged(held.address)) throw changedMeanwhile()
  }

  // One that is no database, or cannot be read, is told before it is asked.
  await told(() => {
    using probe = open()
    probe.database.prepare('SELECT count(*) FROM sqlite_schema').get()
  })
  return {
    version: `SQLite ${process.versions.sqlite}`,
    describe: ({ tables }) =>
      told(() => {
        using held = open()
        return describeSqlite(held.database, tables)
      }),
    query: (asked) =>
      told(async () => {
        isStopped = false
        using cleanup = new DisposableStack()
        const { sql, explain } = asked
        const held = cleanup.use(open(asked))
        const statement = prepare(held.database, explain ? `EXPLAIN QUERY PLAN ${sql}` : sql)
        const declared = statement.columns()
        const firsts: unknown[] = []
        const rows = readRows(held, statement, firsts)
        const first = await rows.next()
        const columns = toColumns(declared, firsts)
        cleanup.move()
        return { columns, rows: withFirst(first, rows) }
      }),
    interrupt() {
      isStopped = true
    },
  }
}

function toWall({ hidden: notes, withNames = [] }: AskedQuery): Wall | undefined {
  const hidden = notes && toHidden(notes)
  return hidden && { hidden, withNames }
}

function noteFirsts(firsts: unknown[], values: readonly unknown[]): void {
  for (const [at, value] of values.entries()) firsts[at] ??= value
}

function openDatabase(uri: string, limits: RunnerLimits): DatabaseSync {
  const database = new DatabaseSync(uri, {
    ...{ readOnly: true, allowExtension: false, defensive: true, timeout: 2_000 },
    limits: { length: limits.valueBytes * 4, attach: 0, sqlLength: 1_000_000 },
  })
  database.exec(`PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;
    PRAGMA hard_heap_limit = ${limits.memoryBytes}; PRAGMA cell_size_check = ON`)
  return database
}

function prepare(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  return statement
}

async function* withFirst(
  first: IteratorResult<DataRow[], void>,
  rest: AsyncGenerator<DataRow[]>,
): AsyncGenerator<DataRow[]> {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

function changedMeanwhile(): WorkError {
  return new WorkError('unavailable', 'The database was written while it was read. Ask again.')
}

function toWorkError(error: unknown, path: string): WorkError {
  if (error instanceof WorkError) return error
  const said = String((error as Error).message).replaceAll(path, '')
  if (/not authorized/.test(said)) {
    return new WorkError('forbidden', `Only statements that read are run: ${said}.`)
  }
  if (/is prohibited$/.test(said)) {
    return new WorkError('forbidden', 'The statement reads what is not offered.')
  }
  if (/out of memory|too big/.test(said)) {
    return new WorkError('too_large', `The query needs more memory than it may have: ${said}.`)
  }
  if (/unable to open|locked|disk I\/O|not a database|malformed/.test(said)) {
    return new WorkError('unavailable', `The database file cannot be read now: ${said}.`)
  }
  return new WorkError('invalid_request', said)
}
