import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { WorkError } from '../work-error.ts'

const inflate = promisify(inflateRaw)
const endBytes = 22
const longestComment = 65_535
const mostEntries = 10_000
const endMark = 0x06054b50
const entryMark = 0x02014b50

export interface ZipEntry {
  name: string
  method: number
  packedBytes: number
  offset: number
}

/** The files in an archive (APPNOTE 6.3, sections 4.3.12 and 4.3.16). */
export async function readEntries(file: FileHandle): Promise<Map<string, ZipEntry>> {
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - endBytes - longestComment), size)
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (at === -1 || tail.readUInt32LE(at) !== endMark) throw notExcel()
  const count = tail.readUInt16LE(at + 10)
  const from = tail.readUInt32LE(at + 16)
  const length = tail.readUInt32LE(at + 12)
  if (count > mostEntries || from + length > size) throw notExcel()
  return new Map(readDirectory(await readAt(file, from, from + length)))
}

function* readDirectory(directory: Buffer): Generator<[string, ZipEntry]> {
  for (let at = 0; at + 46 <= directory.length; ) {
    if (directory.readUInt32LE(at) !== entryMark) return
    const nameBytes = directory.readUInt16LE(at + 28)
    const name = directory.toString('utf8', at + 46, at + 46 + nameBytes)
    const method = directory.readUInt16LE(at + 10)
    const packedBytes = directory.readUInt32LE(at + 20)
    yield [name, { name, method, packedBytes, offset: directory.readUInt32LE(at + 42) }]
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
}

/** One file of an archive as text; `too_large` where it is more than `mostBytes`. */
export async function readText(
  file: FileHandle,
  entry: ZipEntry,
  mostBytes: number,
): Promise<string> {
  const head = await readAt(file, entry.offset, entry.offset + 30)
  if (head.length < 30) throw notExcel()
  const from = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (entry.packedBytes > mostBytes) throw tooLarge(entry)
  const packed = await readAt(file, from, from + entry.packedBytes)
  if (entry.method === 0) return packed.toString('utf8')
  if (entry.method !== 8) throw notExcel()
  const bytes = await inflate(packed, { maxOutputLength: mostBytes }).catch((error) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(entry) : notExcel()
  })
  return bytes.toString('utf8')
}

async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
  return buffer.subarray(0, bytesRead)
}

function notExcel(): WorkError {
  return new WorkError('invalid_request', 'The file is not a workbook of Excel (.xlsx).')
}

function tooLarge({ name }: ZipEntry): WorkError {
  return new WorkError('too_large', `The workbook is too large (${name}). Save it as CSV.`)
}
