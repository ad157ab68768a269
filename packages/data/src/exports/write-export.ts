import { writeParquet } from '../parquet/index.ts'
import type { ExportedResult } from './export-stream.ts'
import { writeCsv } from './write-csv.ts'
import { writeXlsx } from './write-xlsx.ts'

export type ExportFormat = 'csv' | 'xlsx' | 'parquet'

export interface ExportOptions extends ExportedResult {
  signal?: AbortSignal | undefined
}

/** The bytes of a file of that format. Leaving the loop leaves the query. Read it once. */
export function writeExport(
  format: ExportFormat,
  { columns, batches, signal }: ExportOptions,
): AsyncIterable<Uint8Array> {
  const result = { columns, batches }
  const options = signal ? { signal } : {}
  if (format === 'parquet') return writeParquet(result, options)
  if (format === 'xlsx') return writeXlsx(result, options)
  // Excel knows by the mark that it is UTF-8.
  return writeCsv(result, { bom: true, ...options })
}
