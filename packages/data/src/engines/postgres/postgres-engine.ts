import { AppError } from '@dataagent/schema'
import { checkStatement } from '../../sql-gate/index.ts'
import type { Engine } from '../contract.ts'
import type { DatabaseEngineOptions } from '../database-options.ts'
import { createPool } from '../pool.ts'
import { runQuery } from '../running-query.ts'
import { toUnreached } from '../unreached.ts'
import { createWithLink } from '../with-link.ts'
import { cancelStatement } from './cancel.ts'
import { connectPostgres, type PostgresLink } from './connect.ts'
import { describePostgres } from './describe.ts'
import { toPostgresError } from './errors.ts'
import { openPostgresCursor } from './postgres-cursor.ts'
import { isReadOnly } from './privileges.ts'

/** PostgreSQL: read-only transactions on a few connections. */
export function createPostgresEngine(options: DatabaseEngineOptions): Engine {
  const { clock } = options
  const needs = { ...options, rowBytes: options.valueBytes * 4 }
  const pool = createPool<PostgresLink>({ ...options, open: connect })
  const withLink = createWithLink({ ...options, pool, toError: toPostgresError })
  const cancel = (key: PostgresLink['cancelKey']) => cancelStatement(needs, key)

  async function connect(signal: AbortSignal): Promise<PostgresLink> {
    try {
      return await connectPostgres({ ...needs, signal })
    } catch (error) {
      throw toUnreached(error)
    }
  }

  return {
    kind: 'postgres',
    async query(sql, { signal, timeoutMs }) {
      const verdict = checkStatement(sql, 'postgres')
      if (verdict.status === 'refused') throw new AppError(verdict.code, verdict.message)
      return await runQuery({
        ...{ signal, timeoutMs, clock },
        async start(ending) {
          const lease = await pool.take(ending)
          const asked = { sql: verdict.sql, verb: verdict.verb, timeoutMs, signal: ending }
          return await openPostgresCursor({ ...asked, lease, cancel })
        },
      })
    },
    describe: ({ signal, tables }) => withLink(signal, (link) => describePostgres(link, tables)),
    check: ({ signal }) =>
      withLink(signal, async (link) => {
        const { rows } = await link.ask('SHOW server_version')
        return { read_only: await isReadOnly(link), version: `PostgreSQL ${rows[0]?.[0]}` }
      }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
