import { temporaryDirectory } from '@dataagent/testkit'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { makeRetailSample, type RetailSampleOptions } from './make-retail-sample.ts'

export interface TestTable {
  columns: string[]
  rows: unknown[][]
}

/** A sample in a temporary folder, to be asked. */
export interface TestRetail extends AsyncDisposable {
  folder: string
  query(sql: string): Promise<TestTable>
}

/** In the middle of a month, and with one that is whole before it. */
export const testUntil = new Date('2026-11-17T08:00:00Z')

export async function openTestRetail(
  options: Partial<RetailSampleOptions> = {},
): Promise<TestRetail> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const { folder } = await makeRetailSample({
    ...{ folder: `${path}/retail`, until: testUntil },
    ...options,
  })
  const instance = await DuckDBInstance.create(':memory:')
  cleanup.defer(() => instance.closeSync())
  const connection = await instance.connect()
  cleanup.defer(() => connection.closeSync())
  for (const table of ['orders', 'products', 'regions', 'customers'])
    await connection.run(`CREATE VIEW ${table} AS FROM '${folder}/${table}.parquet'`)
  const kept = cleanup.move()
  return {
    folder,
    query: (sql) => query(connection, sql),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function query(connection: DuckDBConnection, sql: string): Promise<TestTable> {
  const reader = await connection.runAndReadAll(sql)
  return { columns: reader.columnNames(), rows: reader.getRowsJson() }
}
