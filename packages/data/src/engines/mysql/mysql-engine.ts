import { AppError } from '@dataagent/schema'
import { checkStatement } from '../../sql-gate/index.ts'
import type { Engine } from '../contract.ts'
import type { DatabaseEngineOptions } from '../database-options.ts'
import { createPool } from '../pool.ts'
import { runQuery } from '../running-query.ts'
import { toUnreached } from '../unreached.ts'
import { createWithLink } from '../with-link.ts'
import { connectMysql, type MysqlLink } from './connect.ts'
import { describeMysql } from './describe.ts'
import { toMysqlError } from './errors.ts'
import { isReadOnly } from './grants.ts'
import { openMysqlCursor } from './mysql-cursor.ts'

const killMs = 3_000

/** MySQL and MariaDB: read-only transactions on a few connections. */
export function createMysqlEngine(options: DatabaseEngineOptions): Engine {
  const { clock } = options
  const pool = createPool<MysqlLink>({ ...options, open: connect })
  const withLink = createWithLink({ ...options, pool, toError: toMysqlError })

  async function connect(signal: AbortSignal): Promise<MysqlLink> {
    try {
      return await connectMysql({ ...options, rowBytes: options.valueBytes * 4, signal })
    } catch (error) {
      throw toUnreached(error)
    }
  }

  async function killQuery(threadId: number): Promise<void> {
    try {
      const link = await connect(AbortSignal.timeout(killMs))
      await link.ask(`KILL QUERY ${threadId}`).finally(link.close)
    } catch {
      // It ends at its time limit, which the server keeps.
    }
  }

  return {
    kind: 'mysql',
    async query(sql, { signal, timeoutMs }) {
      const verdict = checkStatement(sql, 'mysql')
      if (verdict.status === 'refused') throw new AppError(verdict.code, verdict.message)
      return await runQuery({
        ...{ signal, timeoutMs, clock },
        async start(ending) {
          const lease = await pool.take(ending)
          const asked = { sql: verdict.sql, timeoutMs, signal: ending }
          return await openMysqlCursor({ ...asked, lease, killQuery })
        },
      })
    },
    describe: ({ signal, tables }) => withLink(signal, (link) => describeMysql(link, tables)),
    check: ({ signal }) =>
      withLink(signal, async (link) => ({
        read_only: await isReadOnly(link),
        version: /mariadb/i.test(link.version) ? link.version : `MySQL ${link.version}`,
      })),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
