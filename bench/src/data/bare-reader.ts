import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { createConnection } from 'mysql2'
import pg from 'pg'
import type { Kind, Reader } from './contract.ts'

/** What one would write against the driver itself: rows as arrays, as they come. */
export const bareReaders: Record<Kind, (at: string) => Promise<Reader>> = {
  async duckdb(at) {
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    await connection.run(`CREATE VIEW orders AS FROM '${at}'`)
    return {
      async read(sql) {
        let rows = 0
        for await (const batch of (await connection.stream(sql)).yieldRows()) rows += batch.length
        return rows
      },
      async [Symbol.asyncDispose]() {
        connection.closeSync()
        instance.closeSync()
      },
    }
  },

  async sqlite(at) {
    const database = new DatabaseSync(at, { readOnly: true })
    return {
      async read(sql) {
        const statement = database.prepare(sql)
        statement.setReturnArrays(true)
        let rows = 0
        for (const _ of statement.iterate()) rows += 1
        return rows
      },
      [Symbol.asyncDispose]: async () => database.close(),
    }
  },

  async mysql(at) {
    const connection = createConnection({ uri: at })
    return {
      async read(sql) {
        let rows = 0
        const query = connection.query({ sql, rowsAsArray: true })
        query.on('result', () => {
          rows += 1
        })
        await once(query, 'end')
        return rows
      },
      [Symbol.asyncDispose]: async () => connection.destroy(),
    }
  },

  async postgres(at) {
    const client = new pg.Client(at)
    await client.connect()
    return {
      async read(sql) {
        let rows = 0
        const asked: pg.QueryArrayConfig = { text: sql, rowMode: 'array' }
        const query = client.query(new pg.Query(asked))
        query.on('row', () => {
          rows += 1
        })
        await once(query, 'end')
        return rows
      },
      [Symbol.asyncDispose]: () => client.end(),
    }
  },
}
