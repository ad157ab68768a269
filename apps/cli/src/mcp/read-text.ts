import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Longer files are no configuration that a person wrote. */
const textMax = 1024 * 1024

export type TextFile =
  | { status: 'ok'; text: string }
  | { status: 'missing' }
  | { status: 'unreadable'; why: 'not_a_file' | 'too_large' | 'not_text' | 'denied' }

/** Reads a small text file. Never throws, and never waits for a pipe or a device. */
export async function readText(path: string, max = textMax): Promise<TextFile> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!(await file.stat()).isFile()) return { status: 'unreadable', why: 'not_a_file' }
    const bytes = await readUpTo(file, max + 1)
    if (bytes.length > max) return { status: 'unreadable', why: 'too_large' }
    const text = toText(bytes)
    return text === undefined ? { status: 'unreadable', why: 'not_text' } : { status: 'ok', text }
  } catch (error) {
    return toFault((error as NodeJS.ErrnoException).code)
  }
}

function toFault(code: string | undefined): TextFile {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' }
  const isOther = code === 'EISDIR' || code === 'ENXIO' || code === 'ENODEV'
  return { status: 'unreadable', why: isOther ? 'not_a_file' : 'denied' }
}

/** A file of /proc says that it has no bytes: what it says is not asked. */
async function readUpTo(file: FileHandle, max: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let size = 0; size < max; ) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024) })
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    size += bytesRead
  }
  return Buffer.concat(chunks)
}

/** Windows programs write UTF-16 with its mark. */
function toText(bytes: Buffer): string | undefined {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
