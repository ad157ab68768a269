import type { DataColumn, DataRow } from '@dataagent/schema'
import { WorkError } from './work-error.ts'

export interface BatchLimits {
  rows: number
  bytes: number
  valueBytes: number
}

/** Rows in batches of at most so many rows or about so many bytes. */
export async function* gatherBatches(
  pieces: AsyncIterable<DataRow[]>,
  { columns, limits }: { columns: readonly DataColumn[]; limits: BatchLimits },
): AsyncGenerator<DataRow[]> {
  let batch: DataRow[] = []
  let bytes = 0
  for await (const piece of pieces) {
    for (const row of piece) {
      const size = sizeOf(row, columns, limits)
      if (batch.length >= limits.rows || (batch.length > 0 && bytes + size > limits.bytes)) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(row)
      bytes += size
    }
    if (batch.length >= limits.rows) {
      yield batch
      batch = []
      bytes = 0
    }
  }
  if (batch.length > 0) yield batch
}

function sizeOf(row: DataRow, columns: readonly DataColumn[], { valueBytes }: BatchLimits): number {
  let size = 2
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at]
    const length = typeof value === 'string' ? value.length : 8
    if (length > valueBytes) throw tooLarge(columns[at]?.name ?? '', length)
    size += length + 3
  }
  return size
}

function tooLarge(column: string, length: number): WorkError {
  const name = column.slice(0, 60)
  return new WorkError(
    'too_large',
    `A value of the column ${name} has ${length} characters. Take a part of it, such as left(${name}, 1000).`,
  )
}
