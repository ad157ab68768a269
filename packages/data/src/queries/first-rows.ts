import type { DataRow, DataValue } from '@dataagent/schema'
import type { RunningQuery } from '../engines/index.ts'

/** The rows of a query up to a limit, the first of them at hand. */
export interface FirstRows {
  /** Ends at the limit; what comes after it is not fetched. */
  readonly batches: AsyncIterable<readonly DataRow[]>
  /** Those that are shown, once the batches were read: long texts are cut. */
  readonly rows: readonly DataRow[]
  readonly hasMore: boolean
}

/** What is shown of a result is text for a model and a row of a table. */
const shownBytes = 64 * 1024
const longestText = 2_000
const shortestText = 40

export function createFirstRows(
  { batches, columns }: RunningQuery,
  { keepRows, shown }: { keepRows: number; shown: number },
): FirstRows {
  const rows: DataRow[] = []
  const textMax = Math.max(
    shortestText,
    Math.min(longestText, Math.floor(shownBytes / Math.max(1, columns.length))),
  )
  let kept = 0
  let bytes = 0
  let hasMore = false

  function show(row: DataRow): void {
    if (rows.length === shown || bytes > shownBytes) return
    const cut = row.map((value) => toShown(value, textMax))
    bytes += Buffer.byteLength(JSON.stringify(cut))
    if (bytes <= shownBytes || rows.length === 0) rows.push(cut)
  }

  async function* read(): AsyncIterable<readonly DataRow[]> {
    for await (const batch of batches) {
      const taken = batch.slice(0, keepRows - kept)
      for (const row of taken) show(row)
      kept += taken.length
      hasMore = taken.length < batch.length
      yield taken
      if (hasMore) return
    }
  }

  return {
    batches: read(),
    rows,
    get hasMore() {
      return hasMore
    },
  }
}

function toShown(value: DataValue, textMax: number): DataValue {
  if (typeof value !== 'string' || value.length <= textMax) return value
  return `${value.slice(0, textMax).toWellFormed()}…`
}
