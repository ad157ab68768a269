import { AppError } from '@dataagent/schema'
import pg from 'pg'
import type { ServerConnection } from '../pool.ts'
import type { ServerConnectionOptions } from '../server-engine.ts'
import { breaksConnection, slowError, toStoreError } from '../store-error.ts'

const int8 = 20

/** Opens one connection to PostgreSQL. Rejects with `store_unavailable` where there is none. */
export async function connectPostgres(options: ServerConnectionOptions): Promise<ServerConnection> {
  const { url, clock, connectTimeoutMs, queryTimeoutMs } = options
  let broken = false
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: queryTimeoutMs,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? toSafeInteger : pg.types.getTypeParser(oid, format)) as never,
    },
  })
  client.on('error', () => {
    broken = true
  })
  client.on('end', () => {
    broken = true
  })
  try {
    await client.connect()
  } catch (error) {
    destroy(client)
    throw toStoreError('postgres', error)
  }

  const connection: ServerConnection = {
    isBroken: () => broken,
    destroy() {
      broken = true
      destroy(client)
    },
    async run(sql, values) {
      const { promise: timeout, reject } = Promise.withResolvers<never>()
      const cancelTimer = clock.after(queryTimeoutMs, () => {
        connection.destroy()
        reject(slowError('postgres', queryTimeoutMs))
      })
      try {
        const { rows, rowCount } = await Promise.race([client.query(sql, [...values]), timeout])
        return { rows, affected: rowCount ?? 0 }
      } catch (error) {
        const storeError = toStoreError('postgres', error)
        if (breaksConnection(storeError)) broken = true
        throw storeError
      } finally {
        cancelTimer()
      }
    },
  }
  return connection
}

/** `end()` waits for the server's goodbye; a connection we give up must be gone now. */
function destroy(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
    .connection
  stream.destroy()
}

function toSafeInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new AppError('internal', 'the database holds an integer beyond 2^53')
}
