import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type Piece, piecesOf } from './pieces.ts'

type Query = (sql: string) => Promise<Record<string, unknown>[]>

/** Every value of every table behind a mysql:, postgres: or redis: address. */
export async function databasePieces(name: string, url: string): Promise<Piece[]> {
  const { protocol } = new URL(url)
  if (protocol === 'redis:' || protocol === 'rediss:') return redisPieces(name, url)
  return protocol === 'mysql:' ? mysqlPieces(name, url) : postgresPieces(name, url)
}

async function mysqlPieces(name: string, url: string): Promise<Piece[]> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(url)
  const query: Query = async (sql) => (await connection.query(sql))[0] as Record<string, unknown>[]
  const tables = `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = database() AND table_type = 'BASE TABLE'`
  try {
    return await rowPieces(name, query, tables, (table) => `\`${table.replaceAll('`', '``')}\``)
  } finally {
    await connection.end()
  }
}

async function postgresPieces(name: string, url: string): Promise<Piece[]> {
  const { Client } = await import('pg')
  const client = new Client(url)
  await client.connect()
  const query: Query = async (sql) => (await client.query(sql)).rows
  const tables = `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name
    FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`
  try {
    return await rowPieces(name, query, tables, (table) => table)
  } finally {
    await client.end()
  }
}

/**
 * The rows of a SQLite file: a long value lies in several pages, so its bytes may not be in line.
 * Opened as unchangeable, so that looking leaves no files beside it; what its write-ahead log holds
 * is found there.
 */
export async function sqlitePieces(name: string, path: string): Promise<Piece[]> {
  const address = pathToFileURL(path)
  address.search = '?mode=ro&immutable=1'
  const database = new DatabaseSync(address, { readOnly: true })
  const query: Query = async (sql) => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    return statement.all()
  }
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table'`
  try {
    return await rowPieces(name, query, tables, (table) => `"${table.replaceAll('"', '""')}"`)
  } finally {
    database.close()
  }
}

async function rowPieces(
  name: string,
  query: Query,
  tablesSql: string,
  quote: (table: string) => string,
): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (const { name: table } of await query(tablesSql)) {
    const rows = await query(`SELECT * FROM ${quote(String(table))}`)
    pieces.push(...rows.flatMap((row, i) => [...piecesOf(`${name} ${table}[${i}]`, row)]))
  }
  return pieces
}

async function redisPieces(name: string, url: string): Promise<Piece[]> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url)
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.getBuffer(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
  }
  try {
    const pieces: Piece[] = []
    for await (const keys of redis.scanStream({ count: 1_000 })) {
      for (const key of keys as string[]) {
        const value = await read[await redis.type(key)]?.(key)
        pieces.push(...piecesOf(`${name} ${key}`, { [key]: value }))
      }
    }
    return pieces
  } finally {
    redis.disconnect()
  }
}
