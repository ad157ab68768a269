import {
  blockBytes,
  damaged,
  paddingOf,
  readBlock,
  readRecords,
  type TarEntry,
} from './tar-format.ts'

/** An entry and its content, which is to be read before the next entry is asked for. */
export interface PackedEntry extends TarEntry {
  content: AsyncIterable<Buffer>
}

const kinds: Record<string, TarEntry['kind']> = { '0': 'file', '5': 'dir', '2': 'link' }
const maxRecordBytes = 64 * 1024

/** Reads a tar archive as it comes. Throws `unavailable` where it is cut or damaged. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<PackedEntry> {
  const source = createSource(bytes)
  let records: Record<string, string> = {}
  for (;;) {
    const block = readBlock(await source.take(blockBytes))
    if (block === undefined) return await source.drain()
    if (block.type === 'x') {
      if (block.size > maxRecordBytes) throw damaged('a name is too long')
      records = readRecords(await source.take(block.size))
      await source.take(paddingOf(block.size))
      continue
    }
    const kind = kinds[block.type]
    if (kind === undefined) throw damaged('it holds something that is no file')
    const size = records.size === undefined ? block.size : Number(records.size)
    const path = records.path ?? block.path
    const target = records.linkpath ?? block.target
    records = {}
    const content = source.chunks(size)
    yield { kind, path, target, size, mode: block.mode, mtimeMs: block.mtimeMs, content }
    for await (const _ of content);
    await source.take(paddingOf(size))
  }
}

interface Source {
  take(count: number): Promise<Buffer>
  chunks(count: number): AsyncGenerator<Buffer>
  /** Reads to the end: only there a zipped stream is known to be whole. */
  drain(): Promise<void>
}

function createSource(bytes: AsyncIterable<Buffer>): Source {
  const reader = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function next(atMost: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { value, done } = await reader.next()
      if (done) throw damaged('it ends too early')
      rest = value
    }
    const part = rest.subarray(0, atMost)
    rest = rest.subarray(part.length)
    return part
  }

  async function* chunks(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      const part = await next(left)
      left -= part.length
      yield part
    }
  }

  return {
    chunks,
    async take(count) {
      const parts: Buffer[] = []
      for await (const part of chunks(count)) parts.push(part)
      return Buffer.concat(parts)
    },
    async drain() {
      while (!(await reader.next()).done);
    },
  }
}
