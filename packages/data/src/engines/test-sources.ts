import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSecret, type DataRow, type SourceKind } from '@dataagent/schema'
import { createDatabase, findService, temporaryDirectory } from '@dataagent/testkit'
import type { Dialect } from '../sql-gate/index.ts'
import type { Engine } from './contract.ts'
import { type EngineMeans, openEngine } from './open-engine.ts'
import type { EngineSource } from './source.ts'

/**
 * A source with a table `sales` of three rows, a view `big_sales`, and whatever its kind has that
 * could be written: sequences, routines.
 */
export interface TestSource extends AsyncDisposable {
  kind: SourceKind
  dialect: Dialect
  source: EngineSource
  /** A folder of the source's own: what appears in it was written by a query. */
  folder: string
  /** All that a write could change. */
  state(): Promise<unknown>
}

export const kinds = ['files', 'duckdb', 'sqlite', 'mysql', 'postgres'] as const

/** The kinds that can be tried here. */
export async function findKinds(): Promise<SourceKind[]> {
  const found: SourceKind[] = ['files', 'duckdb', 'sqlite']
  for (const kind of ['mysql', 'postgres'] as const) if (await findService(kind)) found.push(kind)
  return found
}

export async function createTestSource(kind: SourceKind): Promise<TestSource> {
  await using cleanup = new AsyncDisposableStack()
  const { path: folder } = cleanup.use(await temporaryDirectory())
  const made = await makers[kind](folder, cleanup)
  const held = cleanup.move()
  return {
    ...{ kind, dialect: kind === 'files' ? 'duckdb' : kind, folder, ...made },
    state: async () => ({ files: await hashFolder(folder), rows: await made.rows?.() }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

export function openTestEngine({ source }: TestSource, means: EngineMeans = {}): Engine {
  return openEngine(source, means)
}

/** All rows of a query, with its columns' names. */
export async function readAll(
  engine: Engine,
  sql: string,
  { timeoutMs = 20_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<DataRow[]> {
  const query = await engine.query(sql, { timeoutMs, ...(signal && { signal }) })
  const rows: DataRow[] = []
  for await (const batch of query.batches) rows.push(...batch)
  return rows
}

interface Made {
  source: EngineSource
  rows?: () => Promise<unknown>
}

type Maker = (folder: string, cleanup: AsyncDisposableStack) => Promise<Made>

const rows = "(1, 'a', 10.50), (2, 'b', 20.25), (3, 'ü', 30.00)"

const makers: Readonly<Record<SourceKind, Maker>> = {
  async files(folder) {
    await writeFile(join(folder, 'sales.csv'), 'id,name,amount\n1,a,10.50\n2,b,20.25\n3,ü,30.00\n')
    await writeFile(join(folder, 'big_sales.ndjson'), '{"id":3,"name":"ü","amount":30.0}\n')
    return { source: { kind: 'files', folder } }
  },
  async duckdb(folder) {
    const path = join(folder, 'data.duckdb')
    await makeDuckdb(path, [
      'CREATE TABLE sales (id INTEGER, name VARCHAR, amount DECIMAL(10,2))',
      `INSERT INTO sales VALUES ${rows}`,
      'CREATE VIEW big_sales AS SELECT * FROM sales WHERE amount > 25',
      'CREATE SEQUENCE counter',
    ])
    return { source: { kind: 'duckdb', path } }
  },
  async sqlite(folder) {
    const path = join(folder, 'data.sqlite')
    using database = new DatabaseSync(path)
    database.exec(`CREATE TABLE sales (id INTEGER PRIMARY KEY, name TEXT, amount REAL);
      INSERT INTO sales VALUES ${rows};
      CREATE VIEW big_sales AS SELECT * FROM sales WHERE amount > 25`)
    return { source: { kind: 'sqlite', path } }
  },
  async mysql(_folder, cleanup) {
    const database = cleanup.use(await createDatabase('mysql'))
    for (const sql of mysqlSetUp) await database.query(sql)
    const source = { kind: 'mysql', url: createSecret(database.url) } as const
    return { source, rows: () => mysqlState(database.query) }
  },
  async postgres(_folder, cleanup) {
    const database = cleanup.use(await createDatabase('postgres'))
    await database.query(postgresSetUp)
    const source = { kind: 'postgres', url: createSecret(database.url) } as const
    return { source, rows: () => postgresState(database.query) }
  },
}

/** Makes a DuckDB file with our own hands. */
export async function makeDuckdb(path: string, statements: readonly string[]): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const sql of statements) await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}

const mysqlSetUp = [
  'CREATE TABLE sales (id INT PRIMARY KEY, name VARCHAR(20), amount DECIMAL(10,2)) ENGINE = InnoDB',
  `INSERT INTO sales VALUES ${rows}`,
  'CREATE TABLE plain (id INT) ENGINE = MyISAM',
  'CREATE VIEW big_sales AS SELECT * FROM sales WHERE amount > 25',
  'CREATE SEQUENCE counter',
  'CREATE PROCEDURE write_it() INSERT INTO plain VALUES (1)',
  'CREATE FUNCTION write_it_too() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO plain VALUES (1); RETURN 1; END',
]

type Ask = (sql: string) => Promise<Record<string, unknown>[]>

async function mysqlState(ask: Ask): Promise<unknown> {
  return await Promise.all(
    [
      "SELECT table_name, table_type, create_time FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'sys') AND table_schema NOT LIKE 'dataagent\\_test\\_%' OR table_schema = DATABASE() ORDER BY 1",
      'SELECT * FROM sales ORDER BY id',
      'SELECT * FROM plain',
      'SELECT next_not_cached_value FROM counter',
      'SHOW CREATE TABLE sales',
      'SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()',
      'SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()',
      'SELECT event_name FROM information_schema.events WHERE event_schema = DATABASE()',
      'SELECT user, host FROM mysql.user ORDER BY 1, 2',
      'SELECT @@GLOBAL.max_connections, @@GLOBAL.read_only',
      "SELECT plugin_name FROM information_schema.plugins WHERE plugin_name LIKE '%evil%'",
    ].map(ask),
  )
}

const postgresSetUp = `
  CREATE TABLE sales (id int PRIMARY KEY, name text, amount numeric(10,2));
  INSERT INTO sales VALUES ${rows};
  CREATE VIEW big_sales AS SELECT * FROM sales WHERE amount > 25;
  CREATE MATERIALIZED VIEW sales_copy AS SELECT * FROM sales;
  CREATE SEQUENCE counter;
  CREATE PROCEDURE write_it() LANGUAGE sql AS $$ DELETE FROM sales $$;
  CREATE FUNCTION write_it_too() RETURNS int LANGUAGE sql AS $$ DELETE FROM sales RETURNING 1 $$;
  SELECT lo_from_bytea(0, 'large')`

async function postgresState(ask: Ask): Promise<unknown> {
  return await Promise.all(
    [
      'SELECT * FROM sales ORDER BY id',
      'SELECT * FROM counter',
      'SELECT oid::text, relname, relkind, relfilenode::text FROM pg_class WHERE oid >= 16384 ORDER BY 1',
      'SELECT attrelid::text, attname FROM pg_attribute WHERE attrelid >= 16384 AND attnum > 0 ORDER BY 1, 2',
      'SELECT proname FROM pg_proc WHERE oid >= 16384 ORDER BY 1',
      'SELECT oid::text FROM pg_largeobject_metadata ORDER BY 1',
      "SELECT encode(data, 'hex') FROM pg_largeobject ORDER BY loid, pageno",
      "SELECT rolname FROM pg_roles WHERE rolname LIKE '%evil%'",
      'SELECT setdatabase::text, setrole::text, setconfig FROM pg_db_role_setting WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))',
      "SELECT datname FROM pg_database WHERE datname LIKE '%evil%'",
      'SELECT extname FROM pg_extension ORDER BY 1',
      'SELECT slot_name FROM pg_replication_slots',
      'SELECT rulename FROM pg_rewrite WHERE oid >= 16384 ORDER BY 1',
      'SELECT description FROM pg_description WHERE objoid >= 16384',
      "SELECT name, setting FROM pg_settings WHERE name IN ('work_mem', 'max_connections')",
    ].map(ask),
  )
}

async function hashFolder(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const hashes = files.map(
    async (file) => [file.slice(folder.length), await hashFile(file)] as const,
  )
  return Object.fromEntries((await Promise.all(hashes)).toSorted())
}

async function hashFile(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
