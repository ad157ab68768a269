import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { ParquetOrder } from './messages.ts'
import { toUniqueNames, typedColumns } from './typed-columns.ts'

/**
 * Writes rows as one Parquet file. They wait in a table of texts until all are there: what a column
 * can be without losing a digit is known only then.
 */
export async function writeFile(orders: AsyncGenerator<ParquetOrder>): Promise<void> {
  const first = (await orders.next()).value as ParquetOrder
  if (first.kind !== 'begin') throw new Error('The columns come first.')
  const { columns, folder, file } = first
  const instance = await DuckDBInstance.create(join(folder, 'rows.duckdb'), {
    ...{ threads: '2', memory_limit: '512MB', temp_directory: folder },
    ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' },
  })
  const connection = await instance.connect()
  try {
    await connection.run(
      `CREATE TABLE given (${columns.map((_, i) => `c${i} VARCHAR`).join(', ')})`,
    )
    await appendAll(connection, columns.length, orders)
    const types = await typedColumns(connection, columns)
    const names = toUniqueNames(columns.map(({ name }) => name))
    const list = types.map((sql, i) => `${sql} AS "${names[i]!.replaceAll('"', '""')}"`)
    await connection.run(
      `COPY (SELECT ${list.join(', ')} FROM given) TO '${file.replaceAll("'", "''")}'
       (FORMAT parquet, COMPRESSION zstd)`,
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function appendAll(
  connection: DuckDBConnection,
  width: number,
  orders: AsyncGenerator<ParquetOrder>,
): Promise<void> {
  const appender = await connection.createAppender('given')
  for await (const order of orders) {
    if (order.kind === 'end') return appender.closeSync()
    if (order.kind !== 'rows') throw new Error('Only rows come after the columns.')
    for (const row of order.rows) {
      for (let i = 0; i < width; i += 1) {
        const value = row[i] ?? null
        if (value === null) appender.appendNull()
        else appender.appendVarchar(String(value))
      }
      appender.endRow()
    }
    appender.flushSync()
  }
  throw new Error('The rows have no end.')
}
