import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { AppError } from '@dataagent/schema'

/** One file of a journal, written at its end by this process alone. */
export interface Segment {
  readonly path: string
  readonly size: number
  /** Rows in it that the database does not have yet. */
  unstored: number
  /** Writes all of `text` or nothing. Throws `storage_full` or `internal`. */
  write(text: string): void
  close(): void
  remove(): void
}

/** Throws `storage_full` or `internal`. */
export function createSegment(path: string): Segment {
  const fd = orJournalError(() => openSync(path, 'wx', 0o600))
  let buffer = Buffer.allocUnsafe(64 * 1024)
  let size = 0
  let isTorn = false
  let isOpen = true

  function writeWhole(text: string): void {
    // A character of JavaScript takes at most three bytes.
    if (text.length * 3 > buffer.length) buffer = Buffer.allocUnsafe(text.length * 3)
    const length = buffer.write(text)
    if (writeSync(fd, buffer, 0, length, size) !== length) throw noSpace()
    size += length
  }

  /** What was written of a line in part must not be the beginning of the next one. */
  function takeBack(): void {
    try {
      ftruncateSync(fd, size)
      isTorn = false
    } catch {
      isTorn = true
    }
  }

  return {
    path,
    get size() {
      return size
    },
    unstored: 0,
    write(text) {
      try {
        if (isTorn) takeBack()
        writeWhole(text)
      } catch (error) {
        takeBack()
        throw toJournalError(error)
      }
    },
    close,
    remove() {
      close()
      rmSync(path, { force: true })
    },
  }

  function close(): void {
    if (isOpen) closeSync(fd)
    isOpen = false
  }
}

/** Throws what `work` throws as `storage_full` or `internal`. */
export function orJournalError<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toJournalError(error)
  }
}

function noSpace(): Error {
  return Object.assign(new Error('not all of it was written'), { code: 'ENOSPC' })
}

function toJournalError(cause: unknown): AppError {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    const message = 'the disk of the audit journal is full; free space and try again'
    return new AppError('storage_full', message, { cause })
  }
  return new AppError('internal', 'the audit journal cannot be written', { cause })
}
