import { createConnection, type QueryError, type ResultSetHeader } from 'mysql2'
import type { SqlResult } from '../engine.ts'
import type { ServerConnection } from '../pool.ts'
import type { ServerConnectionOptions } from '../server-engine.ts'
import { breaksConnection, slowError, toStoreError } from '../store-error.ts'

/**
 * Opens one connection to MySQL or MariaDB. Rejects with `store_unavailable` where there is none.
 */
export async function connectMysql(options: ServerConnectionOptions): Promise<ServerConnection> {
  const { url, clock, connectTimeoutMs, queryTimeoutMs } = options
  let broken = false
  const driver = createConnection({
    uri: url,
    charset: 'utf8mb4',
    timezone: 'Z',
    connectTimeout: connectTimeoutMs,
    supportBigNumbers: true,
    stringifyObjects: true,
    multipleStatements: false,
  })
  driver.on('error', () => {
    broken = true
  })
  driver.on('end', () => {
    broken = true
  })
  await new Promise<void>((resolve, reject) => {
    driver.connect((error) => {
      if (!error) return resolve()
      driver.destroy()
      reject(toStoreError('mysql', error))
    })
  })

  const connection: ServerConnection = {
    isBroken: () => broken,
    destroy() {
      broken = true
      driver.destroy()
    },
    run(sql, values) {
      return new Promise<SqlResult>((resolve, reject) => {
        const cancelTimer = clock.after(queryTimeoutMs, () => {
          connection.destroy()
          reject(slowError('mysql', queryTimeoutMs))
        })
        driver.query(sql, [...values], (error: QueryError | null, result: unknown) => {
          cancelTimer()
          if (!error) return resolve(toResult(result))
          const storeError = toStoreError('mysql', error)
          if (error.fatal || breaksConnection(storeError)) broken = true
          reject(storeError)
        })
      })
    },
  }
  // Without strict mode MySQL cuts text that is too long and says nothing.
  await connection.run("set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'", [])
  return connection
}

function toResult(result: unknown): SqlResult {
  if (Array.isArray(result)) {
    return { rows: result as Record<string, unknown>[], affected: 0 }
  }
  return { rows: [], affected: (result as ResultSetHeader).affectedRows }
}
