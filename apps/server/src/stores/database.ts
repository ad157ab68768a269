import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Hasher } from '@dataagent/store/secrets'
import type { SqlStore } from '@dataagent/store/sql'
import type { Config } from '../config/index.ts'
import type { Dependency } from '../deps/readiness.ts'
import { seedOperator } from '../start/admin-key.ts'
import { databaseUrl } from './database-url.ts'

export interface Database {
  dependency: Dependency
  /** Throws `store_unavailable` until the database has been there once. */
  stores(): { sql: SqlStore; hasher: Hasher }
  close(): Promise<void>
}

export interface DatabaseOptions {
  config: Config
  clock: Clock
  /** Called until it succeeds, once the tables are there. */
  onOpen(stores: ReturnType<Database['stores']>): Promise<void>
}

/** The database of these settings. Its code is loaded when it is opened, so that listening does not wait for it. */
export function openDatabase({ config, clock, onOpen }: DatabaseOptions): Database {
  let sql: SqlStore | undefined
  let opened: ReturnType<Database['stores']> | undefined
  let closed = false

  async function open(): Promise<void> {
    const { openSql } = await import('@dataagent/store/sql')
    const { openHasher } = await import('./open-hasher.ts')
    if (closed) throw new AppError('store_unavailable', 'The database is closed.')
    sql ??= openSql({ url: databaseUrl(config) })
    await sql.migrate()
    const stores = { sql, hasher: await openHasher(config, sql) }
    await seedOperator({ sql, clock })
    await onOpen(stores)
    opened = stores
  }

  return {
    dependency: { name: 'database', open, check: async () => sql?.ping() },
    stores() {
      if (opened) return opened
      throw new AppError('store_unavailable', 'The database has not answered yet.')
    },
    async close() {
      closed = true
      await sql?.close()
    },
  }
}
