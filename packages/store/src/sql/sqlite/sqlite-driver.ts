import { AppError } from '@dataagent/schema'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { type SqlResult, type SqlValue, toSqlValues } from '../engine.ts'
import { toStoreError } from '../store-error.ts'
import { openStatements, type Statements } from './statements.ts'
import { createTurnstile } from './turnstile.ts'
import { createMemoryWriter, createThreadWriter, type Writer } from './writer.ts'

export interface SqliteDriver extends Driver {
  insertMany(sql: string, rows: readonly (readonly SqlValue[])[]): Promise<void>
}

/**
 * Writes go to one writer, one statement or transaction at a time. Reads outside a transaction run
 * at once on a connection of their own: in WAL mode they see the last commit and wait for nobody.
 */
export function createSqliteDriver(path: string): SqliteDriver {
  const inMemory = path === ':memory:'
  const turnstile = createTurnstile()
  let writer: Writer | undefined
  let reader: Statements | undefined
  let closed = false

  function assertOpen() {
    if (closed) throw new AppError('store_unavailable', 'the database store is closed')
  }

  function getWriter(): Writer {
    assertOpen()
    writer ??= inMemory ? createMemoryWriter() : createThreadWriter(path)
    return writer
  }

  async function read(query: CompiledQuery): Promise<SqlResult> {
    if (inMemory) return getWriter().run(query.sql, toSqlValues(query.parameters))
    assertOpen()
    try {
      reader ??= openStatements(path, 'read')
      return reader.run(query.sql, toSqlValues(query.parameters))
    } catch (error) {
      throw toStoreError('sqlite', error)
    }
  }

  function connection(): SqliteConnection {
    let leave: (() => void) | undefined

    function end() {
      leave?.()
      leave = undefined
    }

    async function route(query: CompiledQuery): Promise<SqlResult> {
      if (leave) return getWriter().run(query.sql, toSqlValues(query.parameters))
      if (query.query.kind === 'SelectQueryNode') return read(query)
      return turnstile.pass(() => getWriter().run(query.sql, toSqlValues(query.parameters)))
    }

    return {
      async begin() {
        leave = await turnstile.enter()
        try {
          await getWriter().run('begin immediate', [])
        } catch (error) {
          end()
          throw error
        }
      },
      async finish(verb) {
        // After a commit that failed the transaction is rolled back here, and Kysely's own rollback
        // finds none.
        if (!leave) return
        try {
          await getWriter().run(verb, [])
        } catch (error) {
          await getWriter().run('rollback', [])
          throw error
        } finally {
          end()
        }
      },
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const { rows, affected } = await route(query)
        return { rows: rows as R[], numAffectedRows: BigInt(affected) }
      },
      streamQuery() {
        throw new AppError('internal', 'rows are read in pages, not streamed')
      },
    }
  }

  return {
    async init() {},
    acquireConnection: async () => connection(),
    beginTransaction: (held) => (held as SqliteConnection).begin(),
    commitTransaction: (held) => (held as SqliteConnection).finish('commit'),
    rollbackTransaction: (held) => (held as SqliteConnection).finish('rollback'),
    releaseConnection: async () => {},
    insertMany: (sql, rows) => turnstile.pass(() => getWriter().runMany(sql, rows)),
    async destroy() {
      if (closed) return
      await turnstile.pass(async () => {
        reader?.close()
        await writer?.close()
        closed = true
      })
    },
  }
}

interface SqliteConnection extends DatabaseConnection {
  begin(): Promise<void>
  finish(verb: 'commit' | 'rollback'): Promise<void>
}
