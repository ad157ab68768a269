import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSecret, type DataColumn, type DataRow, type SourceKind } from '@dataagent/schema'
import { createDatabase, findService, temporaryDirectory } from '@dataagent/testkit'
import type { EngineSource } from './engines/index.ts'
import { writeExport } from './exports/index.ts'

/** A shop with 120 sales in four regions; ids are beyond 2^53, amounts have 18 digits. */
export interface TestShop extends AsyncDisposable {
  source: EngineSource
}

/** The kinds that can be tried here. */
export async function findShopKinds(): Promise<SourceKind[]> {
  const found: SourceKind[] = ['files', 'duckdb', 'sqlite']
  for (const kind of ['mysql', 'postgres'] as const) if (await findService(kind)) found.push(kind)
  return found
}

export async function createShop(kind: SourceKind): Promise<TestShop> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const source = await makers[kind](path, cleanup)
  const kept = cleanup.move()
  return { source, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

export const salesCount = 120
const regions = ['north', 'south', 'east', '西部']

export const sales: DataRow[] = Array.from({ length: salesCount }, (_, i) => [
  String(9_007_199_254_740_993n + BigInt(i)),
  regions[i % regions.length]!,
  `${100_000_000_000_000 + i}.${String(i).padStart(4, '0')}`,
  `2026-${String(1 + (i % 12)).padStart(2, '0')}-15`,
])

const columns: DataColumn[] = [
  { name: 'id', type: 'BIGINT', kind: 'integer' },
  { name: 'region', type: 'VARCHAR', kind: 'text' },
  { name: 'amount', type: 'DECIMAL(20,4)', kind: 'decimal' },
  { name: 'sold_on', type: 'DATE', kind: 'date' },
]

const values = sales
  .map(([id, region, amount, day]) => `(${id}, '${region}', ${amount}, '${day}')`)
  .join(', ')
const statements = [
  'CREATE TABLE sales (id BIGINT, region VARCHAR(20), amount DECIMAL(20,4), sold_on DATE)',
  `INSERT INTO sales VALUES ${values}`,
  'CREATE TABLE regions (region VARCHAR(20), manager VARCHAR(20))',
  "INSERT INTO regions VALUES ('north', 'Ana'), ('south', 'Bo')",
]

type Maker = (path: string, cleanup: AsyncDisposableStack) => Promise<EngineSource>

const makers: Readonly<Record<SourceKind, Maker>> = {
  /** Parquet, CSV, JSON and Excel. */
  async files(path) {
    await mkdir(join(path, 'more'))
    await writeFile(join(path, 'sales.parquet'), await bytesOf('parquet', columns, sales))
    await writeFile(join(path, 'regions.csv'), 'region,manager\nnorth,Ana\nsouth,Bo\n')
    await writeFile(join(path, 'more', 'targets.json'), '[{"region":"north","target":5}]')
    const people: DataColumn[] = [
      { name: 'name', type: 'TEXT', kind: 'text' },
      { name: 'age', type: 'INTEGER', kind: 'integer' },
    ]
    await writeFile(join(path, 'people.xlsx'), await bytesOf('xlsx', people, [['Ana', 41]]))
    return { kind: 'files', folder: path }
  },
  async duckdb(path) {
    const file = join(path, 'shop.duckdb')
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create(file)
    const connection = await instance.connect()
    for (const sql of statements) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
    return { kind: 'duckdb', path: file }
  },
  /** It has no decimals: texts keep their digits. */
  async sqlite(path) {
    const file = join(path, 'shop.sqlite')
    using database = new DatabaseSync(file)
    database.exec('CREATE TABLE sales (id INTEGER, region TEXT, amount TEXT, sold_on DATE)')
    const insert = database.prepare('INSERT INTO sales VALUES (CAST(? AS INTEGER), ?, ?, ?)')
    for (const row of sales) insert.run(...(row as string[]))
    database.exec(statements.slice(2).join(';'))
    return { kind: 'sqlite', path: file }
  },
  async mysql(_, cleanup) {
    const database = cleanup.use(await createDatabase('mysql'))
    for (const sql of statements) await database.query(sql)
    return { kind: 'mysql', url: createSecret(database.url) }
  },
  async postgres(_, cleanup) {
    const database = cleanup.use(await createDatabase('postgres'))
    for (const sql of statements) await database.query(sql)
    return { kind: 'postgres', url: createSecret(database.url) }
  },
}

async function bytesOf(format: 'parquet' | 'xlsx', of: DataColumn[], rows: DataRow[]) {
  async function* batches() {
    yield rows
  }
  const chunks = await Array.fromAsync(writeExport(format, { columns: of, batches: batches() }))
  return Buffer.concat(chunks)
}
