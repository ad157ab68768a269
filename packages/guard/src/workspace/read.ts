import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError } from '@dataagent/schema/base'
import { atSpot, type Base } from './base.ts'
import { type FileInfo, toFileInfo } from './file-info.ts'
import { type OpenFile, openFile } from './open-file.ts'
import { quotePath } from './parse-path.ts'
import { stopIfAborted } from './to-app-error.ts'

export interface ReadOptions {
  /** First byte to read; default 0. */
  offset?: number
  /** How many bytes; default all that follow. Fewer come where the file ends. */
  length?: number
  /**
   * The most to read, in place of the workspace's `maxReadBytes`; more is refused with `too_large`.
   */
  maxBytes?: number
}

export interface ReadResult extends FileInfo {
  bytes: Buffer
}

export interface StreamOptions {
  offset?: number
  length?: number
  signal?: AbortSignal
}

export interface StreamResult extends FileInfo {
  /** Holds a descriptor until it is read to its end or destroyed. */
  stream: Readable
}

export interface Reads {
  /** Reads a file whole, or a range of it. `size` is that of the whole file. */
  read(path: string, options?: ReadOptions): Promise<ReadResult>
  /** Opens a file to read it piece by piece. What is appended after the call is not read. */
  stream(path: string, options?: StreamOptions): Promise<StreamResult>
}

export function createReads(base: Base): Reads {
  return {
    read: (path, { maxBytes = base.maxReadBytes, ...range } = {}) =>
      atSpot(base, path, async ({ dir, name }) => {
        checkRange(range)
        await using file = await openFile(dir, name, { flags: constants.O_RDONLY, dev: base.dev })
        const { start, length } = toRange(file.stats.size, range)
        if (length > maxBytes) throw tooLarge(path, length, maxBytes)
        return { ...toFileInfo(file.stats), bytes: await readBytes(file.handle, start, length) }
      }),

    stream: (path, { signal, ...range } = {}) =>
      atSpot(base, path, async ({ dir, name }) => {
        checkRange(range)
        stopIfAborted(signal)
        const file = await openFile(dir, name, { flags: constants.O_RDONLY, dev: base.dev })
        const { start, length } = toRange(file.stats.size, range)
        return { ...toFileInfo(file.stats), stream: await toStream(file, start, length, signal) }
      }),
  }
}

/** Reads `length` bytes from `start`, or up to the end where that comes first. */
export async function readBytes(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

type Range = Pick<ReadOptions, 'offset' | 'length'>

function checkRange({ offset = 0, length = 0 }: Range): void {
  if ([offset, length].every((value) => Number.isSafeInteger(value) && value >= 0)) return
  throw new AppError('invalid_request', 'Offset and length must be whole numbers from 0 up')
}

function toRange(size: number, { offset = 0, length = size }: Range) {
  return { start: offset, length: Math.max(0, Math.min(length, size - offset)) }
}

/** Takes over the file: the stream closes it. */
async function toStream(
  file: OpenFile,
  start: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Readable> {
  if (length > 0) {
    const end = start + length - 1
    return file.handle.createReadStream({ start, end, ...(signal && { signal }) })
  }
  await file.handle.close()
  return Readable.from([])
}

function tooLarge(path: string, length: number, maxBytes: number): AppError {
  return new AppError(
    'too_large',
    `${quotePath(path)} has ${length} bytes to read; ${maxBytes} are allowed. Read it in ranges`,
    { data: { bytes: length, max_bytes: maxBytes } },
  )
}
