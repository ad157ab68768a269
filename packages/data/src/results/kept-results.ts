import { join } from 'node:path'
import { openWorkspace, type Workspace } from '@dataagent/guard'
import { AppError, type DataRow, isAppError } from '@dataagent/schema'
import { createRoom, ignoreMissing } from './room.ts'

/** Whose rows they are; each part is an id of ours. */
export interface ResultKey {
  tenant_id: string
  query_id: string
}

/**
 * The rows of queries, kept for tables, charts and exports. Throws `not_found` for what was never
 * kept or has been swept.
 */
export interface KeptResults extends AsyncDisposable {
  /** Keeps rows as they come, as many as there is room for. Nothing is kept where this throws. */
  keep(key: ResultKey, batches: AsyncIterable<readonly DataRow[]>): Promise<Kept>
  read(key: ResultKey, page: { offset: number; limit: number }): Promise<DataRow[]>
  stream(key: ResultKey, signal?: AbortSignal): AsyncIterable<readonly DataRow[]>
  remove(key: ResultKey): Promise<void>
  /** Where all of a tenant are; absolute. */
  folderOf(tenant_id: string): string
}

export interface Kept {
  rows: number
  /** Whether some did not fit. */
  isCut: boolean
}

export interface KeptResultsOptions {
  /** An absolute folder of the platform's own. */
  root: string
  /** What one result may take on disk. Default 64 MiB. */
  maxBytes?: number
  /** What all results of a tenant may: for new ones the oldest go. Default 8 GiB. */
  maxTenantBytes?: number
}

/** Rows of one line of a file. */
const lineRows = 500
const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

/**
 * Each result is two files: lines of rows, and where each line begins. The second is written last:
 * without it there is no result.
 */
export async function openKeptResults(options: KeptResultsOptions): Promise<KeptResults> {
  const { root, maxBytes = 64 * mebibyte, maxTenantBytes = 8 * gibibyte } = options
  const folder = await openWorkspace({ root, create: true, maxWriteBytes: maxBytes + mebibyte })
  const room = createRoom(folder, { maxBytes: maxTenantBytes })

  const results: KeptResults = {
    async keep(key, batches) {
      const index: Index = { starts: [], rows: 0, bytes: 0, isCut: false }
      try {
        await folder.makeDir(folderOf(key))
        await folder.write(pathOf(key, 'rows'), toLines(batches, { index, maxBytes }))
        await folder.write(pathOf(key, 'index'), JSON.stringify(index))
      } catch (error) {
        await folder.remove(pathOf(key, 'rows')).catch(() => {})
        throw error
      }
      await room.note(folderOf(key), index.bytes)
      return { rows: index.rows, isCut: index.isCut }
    },
    async read(key, { offset, limit }) {
      const index = await readIndex(folder, key)
      const end = Math.min(offset + limit, index.rows)
      if (offset >= end) return []
      const first = Math.floor(offset / lineRows)
      const last = Math.floor((end - 1) / lineRows)
      const start = index.starts[first] ?? 0
      const length = (index.starts[last + 1] ?? index.bytes) - start
      const { bytes } = await folder.read(pathOf(key, 'rows'), {
        ...{ offset: start, length, maxBytes: maxBytes + mebibyte },
      })
      const rows = toRows(bytes.toString('utf8'))
      return rows.slice(offset - first * lineRows, end - first * lineRows)
    },
    async *stream(key, signal) {
      const { rows } = await readIndex(folder, key)
      for (let offset = 0; offset < rows; offset += lineRows) {
        signal?.throwIfAborted()
        yield await results.read(key, { offset, limit: lineRows })
      }
    },
    async remove(key) {
      for (const part of ['index', 'rows'] as const) {
        await folder.remove(pathOf(key, part)).catch(ignoreMissing)
      }
    },
    folderOf: (tenant_id) => join(root, folderOf({ tenant_id })),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
  return results
}

interface Index {
  /** The first byte of each line. */
  starts: number[]
  rows: number
  bytes: number
  isCut: boolean
}

async function* toLines(
  batches: AsyncIterable<readonly DataRow[]>,
  { index, maxBytes }: { index: Index; maxBytes: number },
): AsyncIterable<Uint8Array> {
  const waiting: DataRow[] = []

  function toLine(rows: readonly DataRow[]): Uint8Array | undefined {
    const line = Buffer.from(`${JSON.stringify(rows)}\n`)
    index.isCut ||= index.bytes + line.length > maxBytes
    if (index.isCut) return undefined
    index.starts.push(index.bytes)
    index.bytes += line.length
    index.rows += rows.length
    return line
  }

  for await (const batch of batches) {
    waiting.push(...batch)
    while (waiting.length >= lineRows) {
      const line = toLine(waiting.splice(0, lineRows))
      if (line === undefined) return
      yield line
    }
  }
  const line = waiting.length > 0 ? toLine(waiting) : undefined
  if (line) yield line
}

function toRows(lines: string): DataRow[] {
  const rows: DataRow[] = []
  // Written by us alone.
  for (const line of lines.split('\n'))
    if (line !== '') rows.push(...(JSON.parse(line) as DataRow[]))
  return rows
}

async function readIndex(folder: Workspace, key: ResultKey): Promise<Index> {
  try {
    const { bytes } = await folder.read(pathOf(key, 'index'))
    return JSON.parse(bytes.toString('utf8')) as Index
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error
    const told = 'The rows of this query are not kept any more: run it again.'
    throw new AppError('not_found', told, { cause: error })
  }
}

function folderOf({ tenant_id }: Pick<ResultKey, 'tenant_id'>): string {
  return encodeURIComponent(tenant_id)
}

function pathOf(key: ResultKey, part: 'rows' | 'index'): string {
  return `${folderOf(key)}/${encodeURIComponent(key.query_id)}.${part}`
}
