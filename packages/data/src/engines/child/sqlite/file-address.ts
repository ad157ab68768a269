import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

export interface FileAddress {
  uri: string
  path: string
  /** Taken as one that nobody writes, and how it was then. */
  still: string | undefined
}

const wholeHeader = 100

/**
 * How a file is opened so that nothing is made beside it. One in WAL mode without its log is in
 * nobody's hands; SQLite would make that log to read it, unless told that the file does not change.
 */
export function toAddress(path: string): FileAddress {
  const url = pathToFileURL(path)
  if (!isWal(path) || sizeOf(`${path}-wal`) > 0) return { uri: url.href, path, still: undefined }
  url.searchParams.set('immutable', '1')
  return { uri: url.href, path, still: stampOf(path) }
}

/** Whether one that was taken as still has been written since. */
export function wasChanged({ path, still }: FileAddress): boolean {
  return still !== undefined && still !== stampOf(path)
}

function isWal(path: string): boolean {
  const header = Buffer.alloc(wholeHeader)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, wholeHeader, 0)
  } finally {
    closeSync(file)
  }
  return header[18] === 2 || header[19] === 2
}

function stampOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path)
  return `${ino}.${size}.${mtimeMs}.${sizeOf(`${path}-wal`)}`
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
