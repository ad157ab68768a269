import type { DataColumn, DataRow } from '@dataagent/schema'
import type { ExportedResult } from './export-stream.ts'

export interface TestResult extends ExportedResult {
  /** Batches that were asked for so far. */
  readonly asked: number
  /** Whether the reader has left, or the end was reached. */
  readonly ended: boolean
}

/** A result whose batches are made when they are asked for. */
export function testResult(
  columns: readonly DataColumn[],
  batches: Iterable<readonly DataRow[]>,
): TestResult {
  let asked = 0
  let ended = false
  return {
    columns,
    get asked() {
      return asked
    },
    get ended() {
      return ended
    },
    batches: toBatches(),
  }

  async function* toBatches() {
    try {
      for (const batch of batches) {
        asked += 1
        yield batch
      }
    } finally {
      ended = true
    }
  }
}

/** Batches of 2,000 rows, up to `count` rows. */
export function* manyRows(count: number, row: (i: number) => DataRow): Generator<DataRow[]> {
  for (let from = 0; from < count; from += 2_000) {
    const length = Math.min(2_000, count - from)
    yield Array.from({ length }, (_, i) => row(from + i))
  }
}

export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream))
}
