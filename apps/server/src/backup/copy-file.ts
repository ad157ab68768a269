import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Copied {
  size: number
  sha256: string
}

/** Writes a new file, which is on disk when this resolves. Throws where there is one. */
export async function writeNew(
  path: string,
  content: AsyncIterable<Uint8Array>,
  mode: number,
): Promise<Copied> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await using file = await open(path, 'wx', mode)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    await file.writeFile(chunk)
    hash.update(chunk)
    size += chunk.length
  }
  await file.chmod(mode)
  await file.sync()
  return { size, sha256: hash.digest('hex') }
}

/** What a file holds, without keeping it. */
export async function measure(path: string): Promise<Copied> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return { size, sha256: hash.digest('hex') }
}
