import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Engine } from '../engine.ts'
import { createServerEngine, type ServerEngineOptions } from '../server-engine.ts'

const migrationLock = 7_245_103_911

/** PostgreSQL 13 and later. The driver is loaded when the first connection is opened. */
export function createPostgresEngine(options: ServerEngineOptions): Engine {
  return createServerEngine(options, {
    kind: 'postgres',
    async connect(connectionOptions) {
      const { connectPostgres } = await import('./postgres-connection.ts')
      return connectPostgres(connectionOptions)
    },
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    quote: (name) => `"${name}"`,
    parameter: (index) => `$${index}`,
    async lock(connection) {
      const { rows } = await connection.run('select pg_try_advisory_lock($1) as held', [
        migrationLock,
      ])
      return rows[0]?.held === true
    },
    async unlock(connection) {
      await connection.run('select pg_advisory_unlock($1)', [migrationLock])
    },
  })
}
