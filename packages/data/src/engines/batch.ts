import type { DataRow } from '@dataagent/schema'
import { batchBytes, batchRows } from './runner/messages.ts'

/** Rows until they are enough for a batch. */
export interface Batch {
  add(row: DataRow): void
  readonly isFull: boolean
  readonly isEmpty: boolean
  take(): DataRow[]
}

export function createBatch(): Batch {
  let rows: DataRow[] = []
  let bytes = 0
  return {
    add(row) {
      rows.push(row)
      bytes += sizeOf(row)
    },
    get isFull() {
      return rows.length >= batchRows || bytes >= batchBytes
    },
    get isEmpty() {
      return rows.length === 0
    },
    take() {
      const taken = rows
      rows = []
      bytes = 0
      return taken
    },
  }
}

export function sizeOf(row: DataRow): number {
  let bytes = 0
  for (const value of row) bytes += typeof value === 'string' ? value.length + 3 : 8
  return bytes
}
