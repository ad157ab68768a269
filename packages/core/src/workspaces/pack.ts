import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ListEntry, Workspace } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { blockBytes, damaged, paddingOf, type TarEntry, toHeader } from './tar-format.ts'
import { readTar } from './tar-read.ts'

export interface Packing {
  workspace: Workspace
  /** The absolute path of the same. */
  folder: string
  /** The file to be made. */
  file: string
  signal: AbortSignal
}

const mostEntries = 5_000_000

/**
 * Packs a workspace into a file, reads that again and compares. What an archive cannot give back as
 * it was (hard links, devices, names that are not Unicode) is an error: `conflict`.
 */
export async function pack({ workspace, folder, file, signal }: Packing): Promise<void> {
  const { entries, truncated } = await workspace.list('.', {
    ...{ recursive: true, maxEntries: mostEntries, maxDepth: 256, signal },
  })
  if (truncated) throw unpackable('it holds too many files or goes too deep')
  const source = Readable.from(toTar(workspace, folder, entries), { objectMode: false })
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  await pipeline(source, createGzip(), target, { signal })
  await using handle = await open(file, 'r+')
  await handle.sync()
  await compare(file, entries, signal)
}

async function* toTar(
  workspace: Workspace,
  folder: string,
  entries: readonly ListEntry[],
): AsyncGenerator<Buffer> {
  for (const found of entries) {
    const entry = await toEntry(folder, found)
    yield toHeader(entry)
    if (entry.kind !== 'file') continue
    yield* toContent(workspace, entry)
    yield Buffer.alloc(paddingOf(entry.size))
  }
  yield Buffer.alloc(2 * blockBytes)
}

async function* toContent(workspace: Workspace, { path, size }: TarEntry): AsyncGenerator<Buffer> {
  const { stream } = await workspace.stream(path, { length: size })
  let sent = 0
  for await (const chunk of stream) {
    sent += chunk.length
    yield chunk
  }
  if (sent !== size) throw unpackable('it is being changed')
}

async function toEntry(folder: string, { kind, path, size }: ListEntry): Promise<TarEntry> {
  if (path.includes('\uFFFD')) throw unpackable('a name in it is not Unicode')
  if (kind === 'other') throw unpackable('it holds hard links or things that are no files')
  const inFolder = join(folder, path)
  const { mode, mtimeMs } = await lstat(inFolder)
  const target = kind === 'link' ? await readlink(inFolder) : ''
  return { kind, path, size, mode: mode & 0o777, mtimeMs, target }
}

async function compare(file: string, entries: readonly ListEntry[], signal: AbortSignal) {
  const unzipped = createReadStream(file, { signal }).pipe(createGunzip())
  let at = 0
  for await (const { path, size } of readTar(unzipped)) {
    const expected = entries[at++]
    if (expected?.path !== path || expected.size !== size) throw damaged('it was not written whole')
  }
  if (at !== entries.length) throw damaged('it was not written whole')
}

function unpackable(why: string): AppError {
  return new AppError('conflict', `The workspace is not archived: ${why}`)
}
