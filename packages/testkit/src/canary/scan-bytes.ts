import { constants, inflateRawSync } from 'node:zlib'
import type { Needle } from './needles.ts'

/**
 * Where a secret stands in some bytes. Within compressed data the offset is that of the archive.
 */
export interface ByteMatch {
  label: string
  form: string
  offset: number
}

const gzipMagic = Buffer.from([0x1f, 0x8b, 0x08])
const gzipInBase64 = /H4sI[\w+/-]{12,}/g
const deepest = 3

/** Finds the needles in bytes, and in what is gzipped within them, also as base64. */
export function scanBytes(bytes: Buffer, needles: Needle[], depth = 0): ByteMatch[] {
  const found = needles.flatMap(({ label, form, bytes: needle }) =>
    offsetsOf(bytes, needle).map((offset) => ({ label, form, offset })),
  )
  if (depth === deepest) return found
  const packed = findArchives(bytes).flatMap(({ form, offset, content }) =>
    scanBytes(content, needles, depth + 1).map((match) => ({
      label: match.label,
      form: `${match.form} in ${form}`,
      offset,
    })),
  )
  return [...found, ...packed]
}

function findArchives(bytes: Buffer): { form: string; offset: number; content: Buffer }[] {
  const plain = offsetsOf(bytes, gzipMagic).map((offset) => ({
    form: 'gzip',
    offset,
    content: unpack(bytes.subarray(offset)),
  }))
  const encoded = bytes.toString('latin1').matchAll(gzipInBase64)
  const written = [...encoded].map((match) => ({
    form: 'base64 gzip',
    offset: match.index,
    content: unpack(Buffer.from(match[0], 'base64')),
  }))
  return [...plain, ...written]
}

/** What can be unpacked of it, though its end be missing; nothing when it is no archive. */
function unpack(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes.subarray(gzipHeaderSize(bytes)), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 256 << 20,
    })
  } catch {
    return Buffer.alloc(0)
  }
}

/** RFC 1952 section 2.3: ten bytes, then what the flags in the fourth announce. */
function gzipHeaderSize(bytes: Buffer): number {
  const flags = bytes[3] ?? 0
  let size = 10
  if (flags & 4) size += 2 + bytes.readUInt16LE(size)
  if (flags & 8) size = bytes.indexOf(0, size) + 1
  if (flags & 16) size = bytes.indexOf(0, size) + 1
  return flags & 2 ? size + 2 : size
}

function offsetsOf(bytes: Buffer, needle: Buffer): number[] {
  const offsets: number[] = []
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) {
    offsets.push(at)
  }
  return offsets
}
