import { createReadStream } from 'node:fs'
import { chmod, lutimes, mkdir, open, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { openWorkspace, type Workspace } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import { damaged, type TarEntry } from './tar-format.ts'
import { type PackedEntry, readTar } from './tar-read.ts'

const atOnce = 16

/**
 * Unpacks an archive into a new folder that nobody else knows of. Links are made last: nothing is
 * ever written through one. Throws `unavailable` for an archive that is damaged.
 */
export async function unpack(file: string, folder: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  await using workspace = await openWorkspace({ root: folder, maxWriteBytes: Infinity })
  const entries: TarEntry[] = []
  try {
    await pipeline(
      createReadStream(file),
      createGunzip(),
      async (bytes: AsyncIterable<Buffer>) => {
        for await (const entry of readTar(bytes)) {
          await unpackEntry(workspace, entry)
          entries.push(entry)
        }
      },
      { signal },
    )
  } catch (error) {
    throw isAppError(error) || signal.aborted ? error : asDamaged(error)
  }
  await syncFiles(folder, entries)
  // What is in a directory before it, whose time and mode that would change or forbid.
  for (const entry of entries.reverse()) await finish(folder, entry)
}

async function unpackEntry(workspace: Workspace, entry: PackedEntry): Promise<void> {
  const { kind, path, content } = entry
  if (kind === 'dir') await workspace.makeDir(path)
  else if (kind === 'file') await workspace.write(path, content)
  // Also refuses a path that leads out.
  else if (await workspace.exists(path)) throw damaged('a name is in it twice')
}

/** The archive goes once this is done: by then the files must survive a power loss. */
async function syncFiles(folder: string, entries: readonly TarEntry[]): Promise<void> {
  const left = entries.filter(({ kind }) => kind === 'file')
  const syncNext = async () => {
    for (let entry = left.pop(); entry !== undefined; entry = left.pop()) {
      await using handle = await open(join(folder, entry.path), 'r+')
      await handle.sync()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, syncNext))
}

async function finish(folder: string, { kind, path, mode, mtimeMs, target }: TarEntry) {
  const inFolder = join(folder, path)
  if (kind === 'link') await symlink(target, inFolder)
  else await chmod(inFolder, mode)
  await lutimes(inFolder, mtimeMs / 1000, mtimeMs / 1000)
}

function asDamaged(cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code.startsWith('Z_') ? damaged('it cannot be unpacked') : cause
}
