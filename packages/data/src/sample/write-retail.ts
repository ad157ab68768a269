import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type RetailPlan, toRetailSql } from './retail-sql.ts'

/** The tables, and what is written of them. */
const contents = {
  orders: 'FROM orders',
  products: 'FROM products',
  regions: 'FROM regions',
  customers: `SELECT customer_id, segment, segment_zh, region_id, joined_on
    FROM all_customers ORDER BY customer_id`,
}

const settings = {
  ...{ threads: '2', memory_limit: '1GB', temp_directory: '' },
  ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' },
}

/** Writes the tables as Parquet files into a folder; on the disk once resolved. */
export async function writeRetail(folder: string, plan: RetailPlan): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', settings)
  const connection = await instance.connect()
  try {
    for (const sql of toRetailSql(plan)) await connection.run(sql)
    for (const [name, content] of Object.entries(contents)) {
      const file = join(folder, `${name}.parquet`)
      const to = `'${file.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`
      await connection.run(`COPY (${content}) TO ${to}`)
      await using written = await open(file, 'r+')
      await written.sync()
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
