import { randomBytes } from 'node:crypto'
import { requireService } from './find-service.ts'

export interface TestDatabase extends AsyncDisposable {
  url: string
}

/**
 * Makes an empty database (utf8mb4, UTF8) on the shared server and drops it afterwards, with
 * whoever is still connected. Ask `findService` first whether there is a server.
 */
export async function createDatabase(kind: 'mysql' | 'postgres'): Promise<TestDatabase> {
  const server = await requireService(kind)
  const name = `dataagent_test_${randomBytes(6).toString('hex')}`
  const { create, drop } = kind === 'mysql' ? mysql : postgres
  await create(server, name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, [Symbol.asyncDispose]: () => drop(server, name) }
}

const mysql = {
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
  create: (server: string, name: string) =>
    runOnPostgres(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`),
  drop: (server: string, name: string) =>
    runOnPostgres(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
}

type MysqlQuery = (sql: string, values?: string[]) => Promise<{ id: number }[]>

async function runOnMysql(server: string, work: (query: MysqlQuery) => Promise<void>) {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(server)
  try {
    await work(async (sql, values) => (await connection.query(sql, values))[0] as { id: number }[])
  } finally {
    await connection.end()
  }
}

async function runOnPostgres(server: string, sql: string) {
  const { Client } = await import('pg')
  const client = new Client(server)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
