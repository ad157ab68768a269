import { join } from 'node:path'
import { openWorkspace, type Workspace } from '@dataagent/guard'
import { AppError, type DataRow, isAppError } from '@dataagent/schema'
import { sizeOf } from '../engines/index.ts'
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
  /** So that either outlives the other; what has more bytes is left. How many were copied. */
  copy(from: ResultKey, to: ResultKey, limits: CopyLimits): Promise<number>
  remove(key: ResultKey): Promise<void>
  /** Where all of a tenant are; absolute. */
  folderOf(tenant_id: string): string
}

export interface CopyLimits {
  maxBytes: number
  signal: AbortSignal
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

const mebibyte = 1024 * 1024
/** A line of a file has so many rows, or fewer that are about so many bytes. */
const lineRows = 500
const lineBytes = mebibyte
const gibibyte = 1024 * mebibyte

/**
 * Each result is two files: lines of rows, and where each line begins. The second is written last:
 * without it there is no result.
 */
export async function openKeptResults(options: KeptResultsOptions): Promise<KeptResults> {
  const { root, maxBytes = 64 * mebibyte, maxTenantBytes = 8 * gibibyte } = options
  const folder = await openWorkspace({ root, create: true, maxWriteBytes: maxBytes + mebibyte })
  const room = createRoom(folder, { maxBytes: maxTenantBytes })

  async function readLines(key: ResultKey, index: Index, { first, last }: Lines) {
    const start = index.starts[first]!
    const length = (index.starts[last + 1] ?? index.bytes) - start
    const { bytes } = await folder.read(pathOf(key, 'rows'), {
      ...{ offset: start, length, maxBytes: maxBytes + mebibyte },
    })
    return toRows(bytes.toString('utf8'))
  }

  return {
    async keep(key, batches) {
      const index: Index = { starts: [], firsts: [], rows: 0, bytes: 0, isCut: false }
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
      const first = lineOf(index, offset)
      const rows = await readLines(key, index, { first, last: lineOf(index, end - 1) })
      return rows.slice(offset - index.firsts[first]!, end - index.firsts[first]!)
    },
    async *stream(key, signal) {
      const index = await readIndex(folder, key)
      for (let line = 0; line < index.starts.length; line += 1) {
        signal?.throwIfAborted()
        yield await readLines(key, index, { first: line, last: line })
      }
    },
    async copy(from, to, { maxBytes: most, signal }) {
      const index = await readIndex(folder, from)
      if (index.bytes > most) return 0
      try {
        const { stream } = await folder.stream(pathOf(from, 'rows'), { signal })
        await folder.write(pathOf(to, 'rows'), stream, { signal })
        await folder.write(pathOf(to, 'index'), JSON.stringify(index), { signal })
      } catch (error) {
        await folder.remove(pathOf(to, 'rows')).catch(() => {})
        throw error
      }
      await room.note(folderOf(to), index.bytes)
      return index.bytes
    },
    async remove(key) {
      for (const part of ['index', 'rows'] as const) {
        await folder.remove(pathOf(key, part)).catch(ignoreMissing)
      }
    },
    folderOf: (tenant_id) => join(root, folderOf({ tenant_id })),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

interface Index {
  /** The first byte of each line. */
  starts: number[]
  /** The first row of each line. */
  firsts: number[]
  rows: number
  bytes: number
  isCut: boolean
}

/** The first and the last of them. */
interface Lines {
  first: number
  last: number
}

function lineOf({ firsts }: Index, row: number): number {
  return firsts.findLastIndex((first) => first <= row)
}

async function* toLines(
  batches: AsyncIterable<readonly DataRow[]>,
  { index, maxBytes }: { index: Index; maxBytes: number },
): AsyncIterable<Uint8Array> {
  let waiting: DataRow[] = []
  let bytes = 0

  function takeLine(): Uint8Array | undefined {
    const rows = waiting
    waiting = []
    bytes = 0
    const line = toLine(rows)
    if (index.bytes + line.length <= maxBytes) return note(line, rows.length)
    index.isCut = true
    const fitting = fittingRows(rows, maxBytes - index.bytes)
    return fitting > 0 ? note(toLine(rows.slice(0, fitting)), fitting) : undefined
  }

  function note(line: Uint8Array, rows: number): Uint8Array {
    index.starts.push(index.bytes)
    index.firsts.push(index.rows)
    index.bytes += line.length
    index.rows += rows
    return line
  }

  for await (const batch of batches) {
    for (const row of batch) {
      waiting.push(row)
      bytes += sizeOf(row)
      if (waiting.length < lineRows && bytes < Math.min(lineBytes, maxBytes - index.bytes)) continue
      const line = takeLine()
      if (line) yield line
      if (index.isCut) return
    }
  }
  const line = waiting.length > 0 ? takeLine() : undefined
  if (line) yield line
}

function toLine(rows: readonly DataRow[]): Uint8Array {
  return Buffer.from(`${JSON.stringify(rows)}\n`)
}

/** How many of them make a line of no more than `bytes`. */
function fittingRows(rows: readonly DataRow[], bytes: number): number {
  // Each has a comma or the last bracket after it; the first one and the line's end are two more.
  let left = bytes - 2
  const misfit = rows.findIndex((row) => {
    left -= Buffer.byteLength(JSON.stringify(row)) + 1
    return left < 0
  })
  return misfit === -1 ? rows.length : misfit
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
    const index = JSON.parse(bytes.toString('utf8')) as Omit<Index, 'firsts'> & Partial<Index>
    // Those that were written before it all had lines of as many rows.
    return { firsts: index.starts.map((_, line) => line * lineRows), ...index }
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
