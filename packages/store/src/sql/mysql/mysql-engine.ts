import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from 'kysely'
import type { Engine } from '../engine.ts'
import { createServerEngine, type ServerEngineOptions } from '../server-engine.ts'

/** MySQL 8 and MariaDB. The driver is loaded when the first connection is opened. */
export function createMysqlEngine(options: ServerEngineOptions): Engine {
  return createServerEngine(options, {
    kind: 'mysql',
    async connect(connectionOptions) {
      const { connectMysql } = await import('./mysql-connection.ts')
      return connectMysql(connectionOptions)
    },
    createAdapter: () => new MysqlAdapter(),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    quote: (name) => `\`${name}\``,
    parameter: () => '?',
    async lock(connection, timeoutMs) {
      const { rows } = await connection.run('select get_lock(?, ?) as held', [
        'dataagent.migrations',
        Math.ceil(timeoutMs / 1000),
      ])
      return rows[0]?.held === 1
    },
    async unlock(connection) {
      await connection.run('select release_lock(?)', ['dataagent.migrations'])
    },
  })
}
