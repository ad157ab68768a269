import { DatabaseSync } from 'node:sqlite'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { json } from './logs.ts'

export type StoreKind = 'sqlite' | 'mysql' | 'postgres'

/** What one would write against the driver itself: one row an insert, one connection a caller. */
export interface BareDriver extends AsyncDisposable {
  append(session_id: string, seq: number): Promise<unknown>
  tail(session_id: string, limit: number): Promise<unknown>
}

const insert = 'insert into events (session_id, seq, kind, json) values'
const select = 'select seq, kind, json from events where session_id ='
const connections = 10

export const bareDrivers: Record<StoreKind, (url: string) => Promise<BareDriver>> = {
  async sqlite(url) {
    const db = new DatabaseSync(url.replace('sqlite:', ''), { timeout: 5_000 })
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    const append = db.prepare(`${insert} (?, ?, ?, ?)`)
    const tail = db.prepare(`${select} ? order by seq desc limit ?`)
    return {
      append: async (session_id, seq) => append.run(session_id, seq, 'text', json),
      tail: async (session_id, limit) => tail.all(session_id, limit),
      [Symbol.asyncDispose]: async () => db.close(),
    }
  },

  async mysql(url) {
    const pool = createPool({ uri: url, connectionLimit: connections })
    return {
      append: (session_id, seq) =>
        pool.query(`${insert} (?, ?, ?, ?)`, [session_id, seq, 'text', json]),
      tail: (session_id, limit) =>
        pool.query(`${select} ? order by seq desc limit ?`, [session_id, limit]),
      [Symbol.asyncDispose]: () => pool.end(),
    }
  },

  async postgres(url) {
    const pool = new pg.Pool({ connectionString: url, max: connections })
    // Its end() does not wait for the server's goodbye, which the dropped database then cuts short.
    pool.on('error', () => {})
    return {
      append: (session_id, seq) =>
        pool.query(`${insert} ($1, $2, $3, $4)`, [session_id, seq, 'text', json]),
      tail: (session_id, limit) =>
        pool.query(`${select} $1 order by seq desc limit $2`, [session_id, limit]),
      [Symbol.asyncDispose]: () => pool.end(),
    }
  },
}
