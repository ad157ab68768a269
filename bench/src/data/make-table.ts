import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createDatabase, temporaryDirectory } from '@dataagent/testkit'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Kind, Table } from './contract.ts'

const columns = 'id, placed_at, region, customer, quantity, amount'

/** A table with `rows` rows of six columns, gone with `cleanup`. */
export async function makeTable(
  kind: Kind,
  rows: number,
  cleanup: AsyncDisposableStack,
): Promise<Table> {
  return { kind, at: await makers[kind](rows, cleanup) }
}

const makers: Record<Kind, (rows: number, cleanup: AsyncDisposableStack) => Promise<string>> = {
  async duckdb(rows, cleanup) {
    const { path } = cleanup.use(await temporaryDirectory())
    const file = join(path, 'orders.parquet')
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    await connection.run(`COPY (SELECT range AS id,
      TIMESTAMP '2026-01-01' + to_seconds(range) AS placed_at,
      'region ' || (range % 7) AS region, 'customer ' || (range % 9973) AS customer,
      (range % 20)::INTEGER AS quantity, ((range % 100000) / 100)::DECIMAL(12,2) AS amount
      FROM range(${rows})) TO '${file}'`)
    connection.closeSync()
    instance.closeSync()
    return file
  },

  async sqlite(rows, cleanup) {
    const { path } = cleanup.use(await temporaryDirectory())
    const file = join(path, 'orders.db')
    using database = new DatabaseSync(file)
    database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_at TIMESTAMP, region TEXT,
      customer TEXT, quantity INTEGER, amount REAL);
      WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < ${rows - 1})
      INSERT INTO orders (${columns}) SELECT id, datetime(1767225600 + id, 'unixepoch'),
      'region ' || (id % 7), 'customer ' || (id % 9973), id % 20, (id % 100000) / 100.0 FROM n`)
    return file
  },

  async mysql(rows, cleanup) {
    const database = cleanup.use(await createDatabase('mysql'))
    await database.query(`CREATE TABLE orders (id BIGINT PRIMARY KEY, placed_at DATETIME,
      region VARCHAR(20), customer VARCHAR(20), quantity INT, amount DECIMAL(12,2))`)
    // Neither MySQL nor MariaDB counts beyond a thousand by recursion, unless it is set up for it.
    await database.query('CREATE TABLE digits (d INT)')
    await database.query(
      'INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    )
    const places = Array.from({ length: Math.ceil(Math.log10(rows)) }, (_, place) => place)
    const id = places.map((place) => `p${place}.d * ${10 ** place}`).join(' + ')
    const tens = places.map((place) => `digits AS p${place}`).join(', ')
    await database.query(`INSERT INTO orders (${columns}) SELECT id,
      TIMESTAMP('2026-01-01') + INTERVAL id SECOND, CONCAT('region ', id % 7),
      CONCAT('customer ', id % 9973), id % 20, (id % 100000) / 100
      FROM (SELECT ${id} AS id FROM ${tens}) AS n WHERE id < ${rows}`)
    return database.url
  },

  async postgres(rows, cleanup) {
    const database = cleanup.use(await createDatabase('postgres'))
    await database.query(`CREATE TABLE orders (id bigint PRIMARY KEY, placed_at timestamp,
      region text, customer text, quantity int, amount numeric(12,2));
      INSERT INTO orders (${columns}) SELECT id, timestamp '2026-01-01' + id * interval '1 second',
      'region ' || (id % 7), 'customer ' || (id % 9973), id % 20, (id % 100000) / 100.0
      FROM generate_series(0, ${rows - 1}) AS id`)
    return database.url
  },
}
