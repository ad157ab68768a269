import { AppError } from '@dataagent/schema'

/** One thing in a tar archive (POSIX.1-2001, "pax Interchange Format"). */
export interface TarEntry {
  kind: 'file' | 'dir' | 'link'
  /** With `/` between names, relative. */
  path: string
  mode: number
  mtimeMs: number
  /** Bytes of a file; 0 for all else. */
  size: number
  /** What a link says. */
  target: string
}

export const blockBytes = 512

const types = { file: '0', dir: '5', link: '2' } as const
/** What eleven octal digits hold. */
const maxOctal = 8 ** 11 - 1

/** The header blocks of an entry: one, after those of a pax header where it does not fit. */
export function toHeader(entry: TarEntry): Buffer {
  const records = toRecords(entry)
  const block = toBlock({
    ...entry,
    type: types[entry.kind],
    path: records.path === undefined ? entry.path : 'long-name',
    target: records.linkpath === undefined ? entry.target : '',
    size: records.size === undefined ? entry.size : 0,
  })
  if (Object.keys(records).length === 0) return block
  const body = Buffer.from(Object.entries(records).map(toRecord).join(''))
  const about = { path: 'PaxHeader', target: '', mode: 0o600, mtimeMs: entry.mtimeMs }
  const head = toBlock({ ...about, type: 'x', size: body.length })
  return Buffer.concat([head, body, Buffer.alloc(paddingOf(body.length)), block])
}

/** Zeros that follow a content of this length. */
export function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes
}

function toRecords({ path, target, size }: TarEntry): Record<string, string> {
  return {
    ...(isShort(path) ? {} : { path }),
    ...(isShort(target) ? {} : { linkpath: target }),
    ...(size > maxOctal ? { size: String(size) } : {}),
  }
}

function isShort(text: string): boolean {
  return text.length <= 100 && /^[\x20-\x7e]*$/.test(text)
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function toRecord([key, value]: [string, string]): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (String(length).length > String(bytes).length) length = bytes + String(length).length
  return `${length}${rest}`
}

interface Block extends Pick<TarEntry, 'path' | 'mode' | 'mtimeMs' | 'size' | 'target'> {
  type: string
}

function toBlock({ path, mode, mtimeMs, size, target, type }: Block): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(path, 0, 100, 'latin1')
  writeOctal(block, mode & 0o7777, 100, 8)
  writeOctal(block, 0, 108, 8)
  writeOctal(block, 0, 116, 8)
  writeOctal(block, size, 124, 12)
  writeOctal(block, Math.max(0, Math.floor(mtimeMs / 1000)), 136, 12)
  block.write(type, 156, 'latin1')
  block.write(target, 157, 100, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function writeOctal(block: Buffer, value: number, at: number, width: number): void {
  block.write(value.toString(8).padStart(width - 1, '0'), at, width - 1, 'latin1')
}

/** The sum of the block's bytes, those of the sum itself as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/** What a header block says; undefined for the block of zeros that ends an archive. */
export function readBlock(block: Buffer): Block | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  if (readOctal(block, 148, 8) !== checksumOf(block)) throw damaged('a header is not whole')
  const prefix = readText(block, 345, 155)
  const name = readText(block, 0, 100)
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    mode: readOctal(block, 100, 8),
    size: readOctal(block, 124, 12),
    mtimeMs: readOctal(block, 136, 12) * 1000,
    type: readText(block, 156, 1) || '0',
    target: readText(block, 157, 100),
  }
}

/** The records of a pax header. */
export function readRecords(body: Buffer): Record<string, string> {
  const records: Record<string, string> = {}
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at)
    const length = Number(body.toString('latin1', at, space))
    const [key = '', ...value] = body.toString('utf8', space + 1, at + length - 1).split('=')
    if (space < 0 || !(length > 0) || key === '') throw damaged('a long name is not whole')
    records[key] = value.join('=')
    at += length
  }
  return records
}

function readText(block: Buffer, at: number, length: number): string {
  const end = block.subarray(at, at + length).indexOf(0)
  return block.toString('utf8', at, at + (end < 0 ? length : end))
}

function readOctal(block: Buffer, at: number, length: number): number {
  const value = Number.parseInt(readText(block, at, length).trim() || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw damaged('a number cannot be read')
  return value
}

export function damaged(why: string): AppError {
  return new AppError('unavailable', `The archive of the workspace is damaged: ${why}`)
}
