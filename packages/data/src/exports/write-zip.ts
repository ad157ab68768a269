import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { AppError } from '@dataagent/schema/base'

export interface ZipEntry {
  name: string
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

interface Written {
  name: Buffer
  crc: number
  size: number
  packed: number
  offset: number
}

/** Sizes are told after the content, and names are UTF-8 (APPNOTE 4.4.4, bits 3 and 11). */
const flags = 0x0808
const deflate = 8
const version = 20
/** 1 January 1980: the same content gives the same file. */
const date = 0x21
/** Beyond it sizes would need another form, which not every spreadsheet reads. */
const mostBytes = 0xffff_ffff

/** A ZIP file of entries that are packed as they are read; nothing is held beyond a chunk. */
export async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), crc: 0, size: 0, packed: 0, offset }
    const head = Buffer.concat([localHead(entry), entry.name])
    yield head
    for await (const chunk of packed(content, entry)) {
      entry.packed += chunk.byteLength
      yield chunk
    }
    const tail = descriptor(entry)
    yield tail
    offset += head.byteLength + entry.packed + tail.byteLength
    if (offset > mostBytes) throw tooLarge()
    written.push(entry)
  }
  const directory = Buffer.concat(written.flatMap((entry) => [directoryHead(entry), entry.name]))
  yield directory
  yield endOf(written.length, directory.byteLength, offset)
}

async function* packed(content: ZipEntry['content'], entry: Written): AsyncGenerator<Uint8Array> {
  const packer = createDeflateRaw({ level: 4 })
  const fed = pipeline(Readable.from(counted(content, entry), { objectMode: true }), packer)
  // The same error comes out of the packer, to whoever reads it.
  fed.catch(() => {})
  yield* packer
  await fed
}

async function* counted(content: ZipEntry['content'], entry: Written) {
  for await (const chunk of content) {
    entry.crc = crc32(chunk, entry.crc)
    entry.size += chunk.byteLength
    if (entry.size > mostBytes) throw tooLarge()
    yield chunk
  }
}

function localHead({ name }: Written): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(deflate, 8)
  head.writeUInt16LE(date, 12)
  head.writeUInt16LE(name.byteLength, 26)
  return head
}

function descriptor({ crc, packed, size }: Written): Buffer {
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(0x08074b50, 0)
  tail.writeUInt32LE(crc, 4)
  tail.writeUInt32LE(packed, 8)
  tail.writeUInt32LE(size, 12)
  return tail
}

function directoryHead({ name, crc, packed, size, offset }: Written): Buffer {
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(version, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt16LE(deflate, 10)
  head.writeUInt16LE(date, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(size, 24)
  head.writeUInt16LE(name.byteLength, 28)
  head.writeUInt32LE(offset, 42)
  return head
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

function tooLarge(): AppError {
  return new AppError(
    'too_large',
    'An Excel file holds at most 4 GiB. Choose fewer columns, or export as csv or parquet',
  )
}
