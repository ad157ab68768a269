import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

const headBytes = 256 * 1024

/** As far as the beginning of a file tells. What is not Unicode is taken for Chinese. */
export type TextEncodingName = 'utf-8' | 'utf-16' | 'gb18030'

export async function detectEncoding(path: string): Promise<TextEncodingName> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
      return 'utf-16'
    }
    return isUtf8(head) ? 'utf-8' : 'gb18030'
  } finally {
    await file.close()
  }
}

/** Writes `from` to `to` as UTF-8. */
export async function transcode(from: string, to: string, encoding: string): Promise<void> {
  const decoder = new TextDecoder(encoding)
  await pipeline(
    createReadStream(from),
    async function* decode(pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
      yield decoder.decode()
    },
    createWriteStream(to),
  )
}

/** The last character may be cut off. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
