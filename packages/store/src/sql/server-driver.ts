import { AppError } from '@dataagent/schema'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { toSqlValues } from './engine.ts'
import type { Pool, ServerConnection } from './pool.ts'

/** A Kysely driver over our pool, for the databases that run as a server. */
export function createServerDriver(pool: Pool): Driver {
  return {
    async init() {},
    acquireConnection: async () => toDatabaseConnection(await pool.acquire()),
    beginTransaction: (connection) => command(connection, 'begin'),
    commitTransaction: (connection) => command(connection, 'commit'),
    async rollbackTransaction(connection) {
      if (!serverOf(connection).isBroken()) await command(connection, 'rollback')
    },
    async releaseConnection(connection) {
      pool.release(serverOf(connection))
    },
    destroy: () => pool.close(),
  }
}

interface Wrapped extends DatabaseConnection {
  server: ServerConnection
}

function toDatabaseConnection(server: ServerConnection): Wrapped {
  return {
    server,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, affected } = await server.run(query.sql, toSqlValues(query.parameters))
      return { rows: rows as R[], numAffectedRows: BigInt(affected) }
    },
    streamQuery() {
      throw new AppError('internal', 'rows are read in pages, not streamed')
    },
  }
}

function serverOf(connection: DatabaseConnection): ServerConnection {
  return (connection as Wrapped).server
}

async function command(connection: DatabaseConnection, sql: string): Promise<void> {
  await serverOf(connection).run(sql, [])
}
