import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Engine } from '../engine.ts'
import { createSqliteDriver } from './sqlite-driver.ts'

/** SQLite in a file (WAL, full durability), or in memory for `:memory:`. */
export function createSqliteEngine({ path }: { path: string }): Engine {
  const driver = createSqliteDriver(path)
  return {
    kind: 'sqlite',
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    connections: () => 1,
    close: () => driver.destroy(),
    insertMany(table, columns, rows) {
      const names = columns.map((name) => `"${name}"`).join(', ')
      const places = columns.map(() => '?').join(', ')
      return driver.insertMany(`insert into "${table}" (${names}) values (${places})`, rows)
    },
    // One process migrates in one transaction, which holds SQLite's own write lock.
    exclusively: (_timeoutMs, work) => work(),
  }
}
