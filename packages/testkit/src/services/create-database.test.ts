import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { createDatabase } from './create-database.ts'
import { findService } from './find-service.ts'

const emoji = '数据 🚀'

describe.skipIf(!(await findService('mysql')))('on mysql', () => {
  test('a database is empty, holds all of Unicode, and goes though a client is still in it', async () => {
    const database = await createDatabase('mysql')
    const connection = await createConnection(database.url)
    connection.on('error', () => {})
    const [tables] = await connection.query('SHOW TABLES')
    expect(tables).toEqual([])
    await connection.query('CREATE TABLE t (v TEXT)')
    await connection.query('INSERT INTO t VALUES (?)', [emoji])
    expect((await connection.query('SELECT v FROM t'))[0]).toEqual([{ v: emoji }])
    await connection.query('START TRANSACTION')
    await connection.query('SELECT * FROM t')
    await database[Symbol.asyncDispose]()
    connection.destroy()
    await expect(createConnection(database.url)).rejects.toThrow(/Unknown database/)
  })
})

describe.skipIf(!(await findService('postgres')))('on postgres', () => {
  test('a database is empty, holds all of Unicode, and goes though a client is still in it', async () => {
    const database = await createDatabase('postgres')
    const client = new Client(database.url)
    client.on('error', () => {})
    await client.connect()
    const tables = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")
    expect(tables.rows).toEqual([])
    await client.query('CREATE TABLE t (v TEXT)')
    await client.query('INSERT INTO t VALUES ($1)', [emoji])
    expect((await client.query('SELECT v FROM t')).rows).toEqual([{ v: emoji }])
    await database[Symbol.asyncDispose]()
    await client.end().catch(() => {})
    const again = new Client(database.url)
    await expect(again.connect()).rejects.toThrow(/does not exist/)
  })
})
