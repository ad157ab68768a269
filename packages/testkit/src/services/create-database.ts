import { randomBytes } from 'node:crypto'
import { requireService } from './find-service.ts'

export interface TestDatabase extends AsyncDisposable {
  url: string
  /** Asks the database itself, past whatever is under test. */
  query(sql: string): Promise<Record<string, unknown>[]>
}

/**
 * Makes an empty database (utf8mb4, UTF8) on the shared server and drops it afterwards, with
 * whoever is still connected. Ask `findService` first whether there is a server.
 */
export async function createDatabase(kind: 'mysql' | 'postgres'): Promise<TestDatabase> {
  const server = await requireService(kind)
  const name = `dataagent_test_${randomBytes(6).toString('hex')}`
  const { create, drop, query } = kind === 'mysql' ? mysql : postgres
  await create(server, name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: (sql) => query(url.href, sql),
    [Symbol.asyncDispose]: () => drop(server, name),
  }
}

const mysql = {
  query: (database: string, sql: string) => runOnMysql(database, (query) => query(sql)),
  create: (server: string, name: string) =>
    runOnMysql(server, async (query) => {
      await query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
    }),
  drop: (server: string, name: string) =>
    runOnMysql(server, async (query) => {
      const found = await query('SELECT id FROM information_schema.processlist WHERE db = ?', [
        name,
      ])
      for (const { id } of found) await query(`KILL ${id}`).catch(() => {})
      await query(`DROP DATABASE IF EXISTS ${name}`)
    }),
}

const postgres = {
  query: runOnPostgres,
  async create(server: string, name: string) {
    await runOnPostgres(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  },
  async drop(server: string, name: string) {
    await runOnPostgres(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  },
}

type Row = Record<string, unknown>
type MysqlQuery = (sql: string, values?: string[]) => Promise<Row[]>

async function runOnMysql<T>(server: string, work: (query: MysqlQuery) => Promise<T>): Promise<T> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(server)
  try {
    return await work(async (sql, values) => (await connection.query(sql, values))[0] as Row[])
  } finally {
    await connection.end()
  }
}

async function runOnPostgres(server: string, sql: string): Promise<Row[]> {
  const { Client } = await import('pg')
  const client = new Client(server)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
