import { openEngine } from '@dataagent/data'
import type { Reader, Table } from './contract.ts'
import { engines, toSource } from './our-source.ts'

const timeoutMs = 600_000

/** Our engine, as `run_sql` and exports use it. */
export async function openEngineReader(table: Table): Promise<Reader> {
  const engine = openEngine(toSource(table), engines)
  return {
    async read(sql) {
      let rows = 0
      const { batches } = await engine.query(sql, { timeoutMs })
      for await (const batch of batches) rows += batch.length
      return rows
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}
